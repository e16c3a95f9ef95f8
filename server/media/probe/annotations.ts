/** Collects the file's own tags from container and stream into one flat object with canonical names. */
import type { Dictionary, FormatContext, Stream } from "node-av/lib";
import type { Riff } from "./riff.ts";

const MAX_TAGS = 200;
const MAX_TAG_LENGTH = 4_000;
/** Tags that muxers write about themselves. */
const IGNORED_TAGS =
  /^(encoder|major_brand|minor_version|compatible_brands|handler_name|vendor_id|creation_time_ms|duration|number_of_(frames|bytes)|_statistics.*)$/;
/** Canonical names of tags that containers spell differently. */
const TAG_ALIASES: Record<string, string> = {
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
    .slice(0, MAX_TAG_LENGTH)
    .trim();

export function readAnnotations(format: FormatContext, stream: Stream | null, riff: Riff | null): Record<string, unknown> {
  const annotations: Record<string, unknown> = {};
  const addTags = (dictionary: Dictionary | null | undefined): void => {
    for (const [name, value] of Object.entries(dictionary?.getAll() ?? {})) {
      const key = clean(name.toLowerCase());
      const canonicalKey = TAG_ALIASES[key] ?? key;
      const text = clean(value);
      if (IGNORED_TAGS.test(key) || text === "" || canonicalKey in annotations || Object.keys(annotations).length >= MAX_TAGS) continue;
      annotations[canonicalKey] = text;
    }
  };
  addTags(format.metadata);
  addTags(stream?.metadata);
  if (riff?.timeReference) annotations["time_reference"] = riff.timeReference;
  if (riff && riff.markers.length > 0) annotations["markers"] = riff.markers.map(({ at, label }) => ({ at: Number(at.toFixed(6)), label: clean(label) }));
  return annotations;
}
