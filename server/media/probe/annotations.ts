/** The file's own tags as one flat object, from container and stream, with the spelling people search for. */
import type { Dictionary, FormatContext, Stream } from "node-av/lib";
import type { Riff } from "./riff.ts";

const MOST_TAGS = 200;
const MOST_CHARACTERS = 4_000;
/** What muxers write about themselves. */
const NOISE = /^(encoder|major_brand|minor_version|compatible_brands|handler_name|vendor_id|creation_time_ms|duration|number_of_(frames|bytes)|_statistics.*)$/;
/** Different containers, one name. */
const SAME: Record<string, string> = {
  tsrc: "isrc",
  tbpm: "bpm",
  tempo: "bpm",
  tkey: "initial_key",
  initialkey: "initial_key",
  key: "initial_key",
  "album artist": "album_artist",
  tmpo: "bpm",
};

const clean = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "")
    .slice(0, MOST_CHARACTERS)
    .trim();

export function readAnnotations(format: FormatContext, stream: Stream | null, riff: Riff | null): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const take = (dictionary: Dictionary | null | undefined): void => {
    for (const [name, value] of Object.entries(dictionary?.getAll() ?? {})) {
      const key = clean(name.toLowerCase());
      const known = SAME[key] ?? key;
      const text = clean(value);
      if (NOISE.test(key) || text === "" || known in out || Object.keys(out).length >= MOST_TAGS) continue;
      out[known] = text;
    }
  };
  take(format.metadata);
  take(stream?.metadata);
  if (riff?.timeReference) out["time_reference"] = riff.timeReference;
  if (riff && riff.markers.length > 0) out["markers"] = riff.markers.map(({ at, label }) => ({ at: Number(at.toFixed(6)), label: clean(label) }));
  return out;
}
