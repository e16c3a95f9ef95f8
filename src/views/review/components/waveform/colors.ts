/** Returns a design token's color in the current theme, for canvas drawing. */
export const colorOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
