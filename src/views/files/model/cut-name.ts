/** Where a name is cut that has no room: in its middle, because its end tells version and type. */

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** As long as this a name is left in one piece; in characters as a person counts them. */
const SHORT = 20;
/** What stays of its end: " v12.flac" and a little more. */
const END = 10;

/** A name's beginning, which may be cut, and its end, which stays; both together are the name. */
export function cutName(name: string): [beginning: string, end: string] {
  // Most names are short, and no name has more characters than units.
  if (name.length <= SHORT) return [name, ""];
  const all = [...characters.segment(name)];
  if (all.length <= SHORT) return [name, ""];
  const at = all.at(-END)!.index;
  return [name.slice(0, at), name.slice(at)];
}
