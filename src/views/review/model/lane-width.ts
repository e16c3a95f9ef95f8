/** How wide the lane was last, or its place in the page that loads: the next one will be as wide. CSS pixels; 0: never seen. */
let lastWidth = 0;

export const getWaveformWidth = (): number => lastWidth;
export function setWaveformWidth(width: number): void {
  lastWidth = width;
}
