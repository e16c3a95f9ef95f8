/** Reactions that are one press away. */
export const QUICK_EMOJI = ["👍", "❤️", "😂", "🎉", "👀", "🔥"] as const;
/** So many stand in the bar beside a message. */
export const TOOLBAR_EMOJI_COUNT = 3;
