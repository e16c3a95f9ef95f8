/** Where a name is cut that has no room: in its middle, because its end tells version and type. */

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** As long as this a name is left in one piece; in characters as a person counts them. */
const MAX_WHOLE_LENGTH = 20;
/** What stays of its end: " v12.flac" and a little more. */
const END_LENGTH = 10;

/** A name's beginning, which may be cut, and its end, which stays; both together are the name. */
export function splitName(name: string): [beginning: string, end: string] {
  // Most names are short, and no name has more characters than units.
  if (name.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const graphemes = [...graphemeSegmenter.segment(name)];
  if (graphemes.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const splitIndex = graphemes.at(-END_LENGTH)!.index;
  return [name.slice(0, splitIndex), name.slice(splitIndex)];
}
