/** Formats keyboard shortcuts: ⌘ and ⌥ on Apple keyboards, Ctrl and Alt on others. */
export const isApple = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent);

/** "⌘K" or "Ctrl K" */
export const commandKeys = (letter: string) => (isApple ? `⌘${letter}` : `Ctrl ${letter}`);
export const altKeys = (key: string) => (isApple ? `⌥${key}` : `Alt ${key}`);
