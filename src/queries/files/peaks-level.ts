import type { PeaksInfo } from "../../../contract/records.ts";

type Level = PeaksInfo["levels"][number];

/** Returns the coarsest level with a value for each of `pixels`, or else the finest one available. */
export function levelFor(levels: readonly Level[], pixels: number): Level | undefined {
  const byLength = levels.toSorted((a, b) => a.length - b.length);
  return byLength.find(({ length }) => length >= pixels) ?? byLength.at(-1);
}
