/** How wide the lane was last, or its place in the page that loads: the next one will be as wide. CSS pixels; 0: never seen. */
let last = 0;

export const laneWidth = (): number => last;
export function noteLaneWidth(width: number): void {
  last = width;
}
