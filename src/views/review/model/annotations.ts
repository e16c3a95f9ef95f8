/** What a file says of itself: JSON text of keys and values by the document, anything in practice. */

export interface Annotation {
  /** Null where the text is no table of keys and values. */
  name: string | null;
  value: string;
}

const NAMES: Readonly<Record<string, string>> = { isrc: "ISRC", bpm: "BPM", url: "URL", tsrc: "ISRC", itunes: "iTunes" };

/** "album_artist" -> "Album artist". */
function inWords(name: string): string {
  const plain = name.replaceAll(/[_\s]+/g, " ").trim();
  return NAMES[plain.toLowerCase()] ?? (plain === "" ? name : plain[0]!.toUpperCase() + plain.slice(1));
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)) ?? "";

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
    .map(([name, value]) => ({ name: inWords(name), value: textOf(value) }));
}
