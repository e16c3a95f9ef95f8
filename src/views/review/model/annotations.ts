/** What a file says of itself: JSON text of keys and values by the document, anything in practice. */

export interface Annotation {
  /** Null where the text is no table of keys and values. */
  name: string | null;
  value: string;
}

/** What people look for comes first, under the name that they know it by; the rest follows as it stands in the file. */
const NAMES: Readonly<Record<string, string>> = {
  title: "Title",
  artist: "Artist",
  album: "Album",
  "album artist": "Album artist",
  composer: "Composer",
  track: "Track",
  disc: "Disc",
  date: "Date",
  genre: "Genre",
  isrc: "ISRC",
  tsrc: "ISRC",
  bpm: "BPM",
  tbpm: "BPM",
  "initial key": "Key",
  tkey: "Key",
  copyright: "Copyright",
  publisher: "Publisher",
  comment: "Comment",
  url: "URL",
  encoder: "Encoder",
  "encoded by": "Encoded by",
  itunes: "iTunes",
};
const ORDER = Object.keys(NAMES);

const plainOf = (name: string): string => name.replaceAll(/[_\s]+/g, " ").trim();

/** "album_artist" -> "Album artist". */
function inWords(name: string): string {
  const plain = plainOf(name);
  const known = plain.toLowerCase();
  return Object.hasOwn(NAMES, known) ? NAMES[known]! : plain === "" ? name : plain[0]!.toUpperCase() + plain.slice(1);
}
function rankOf(name: string): number {
  const at = ORDER.indexOf(plainOf(name).toLowerCase());
  return at < 0 ? ORDER.length : at;
}

/** Texts as they are; lists and records as people write them. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join(value.some((one) => typeof one === "object") ? "\n" : ", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${inWords(name)}: ${textOf(part)}`)
    .join(", ");
}

/** Rows to show; none where nothing is written. Text that is no JSON is shown as it is. */
export function annotationsOf(text: string): Annotation[] {
  if (text.trim() === "") return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [{ name: null, value: text }];
  }
  if (json === null) return [];
  if (typeof json !== "object") return [{ name: null, value: String(json) }];
  if (Array.isArray(json)) return json.map((value) => ({ name: null, value: textOf(value) }));
  return Object.entries(json)
    .filter(([, value]) => value !== null && value !== "")
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, value]) => ({ name: inWords(name), value: textOf(value) }));
}
