/** A token's color in the theme that is shown, for what is drawn on a canvas. */
export const colorOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
