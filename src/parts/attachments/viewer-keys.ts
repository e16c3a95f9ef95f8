/** Returns the index that a key leads to among `count` images, or null for other keys. */
export function targetIndex(key: string, index: number, count: number): number | null {
  if (key === "ArrowLeft") return Math.max(0, index - 1);
  if (key === "ArrowRight") return Math.min(count - 1, index + 1);
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
