/** Parses a file's annotations. The API specification defines them as JSON text of keys and values, but in practice they can be any text. */

export interface Annotation {
  /** null if the text has no keys. */
  name: string | null;
  value: string;
}

const MUSIC_KEYS = ["title", "artist", "album", "album artist", "composer", "track", "disc", "date", "genre", "isrc", "tsrc", "bpm", "tbpm"];
const OTHER_KEYS = ["initial key", "tkey", "copyright", "publisher", "comment", "url", "encoder", "encoded by", "itunes"];
/** Common keys in display order. All other keys follow in file order. */
const ORDER = [...MUSIC_KEYS, ...OTHER_KEYS];
/** Display names that are not the capitalized key. */
const DISPLAY_NAMES = new Map(
  Object.entries({ isrc: "ISRC", tsrc: "ISRC", bpm: "BPM", tbpm: "BPM", "initial key": "Key", tkey: "Key", url: "URL", itunes: "iTunes" }),
);

const normalizeName = (name: string): string => name.replaceAll(/[_\s]+/g, " ").trim();

/** Formats a key for display: "album_artist" becomes "Album artist". */
function formatName(name: string): string {
  const normalized = normalizeName(name);
  const key = normalized.toLowerCase();
  const text = ORDER.includes(key) ? key : normalized || name;
  return DISPLAY_NAMES.get(key) ?? text.charAt(0).toUpperCase() + text.slice(1);
}
function rankOf(name: string): number {
  const index = ORDER.indexOf(normalizeName(name).toLowerCase());
  return index < 0 ? ORDER.length : index;
}

/** Formats a value for display. Text stays as is, and lists and objects become readable text. */
function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(formatValue).join(value.some((item) => typeof item === "object") ? "\n" : ", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, memberValue]) => `${formatName(name)}: ${formatValue(memberValue)}`)
    .join(", ");
}

/** Returns the rows to display, or none if the text is empty. Text that is not JSON becomes one row without a name. */
export function parseAnnotations(text: string): Annotation[] {
  if (text.trim() === "") return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [{ name: null, value: text }];
  }
  if (json === null) return [];
  if (typeof json !== "object") return [{ name: null, value: String(json) }];
  if (Array.isArray(json)) return json.map((value) => ({ name: null, value: formatValue(value) }));
  return Object.entries(json)
    .filter(([, value]) => value !== null && value !== "")
    .toSorted(([a], [b]) => rankOf(a) - rankOf(b))
    .map(([name, value]) => ({ name: formatName(name), value: formatValue(value) }));
}
