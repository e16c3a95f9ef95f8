/** Lists the reactions available with one press. */
export const QUICK_EMOJI = ["👍", "❤️", "😂", "🎉", "👀", "🔥"] as const;
/** Number of these in the toolbar beside a message. */
export const TOOLBAR_EMOJI_COUNT = 3;
