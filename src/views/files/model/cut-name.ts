/** Splits a long name so that it is truncated in the middle, because its end shows version and file type. */

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Names up to this many graphemes are not split. */
const MAX_WHOLE_LENGTH = 20;
/** Number of graphemes to keep at the end: " v12.flac" and a little more. */
const END_LENGTH = 10;

/** Returns the beginning of the name, which may be truncated, and its end, which stays. Both together are the whole name. */
export function splitName(name: string): [beginning: string, end: string] {
  // Most names are short, and no name has more graphemes than UTF-16 code units.
  if (name.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const graphemes = [...graphemeSegmenter.segment(name)];
  if (graphemes.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const splitIndex = graphemes.at(-END_LENGTH)!.index;
  return [name.slice(0, splitIndex), name.slice(splitIndex)];
}
