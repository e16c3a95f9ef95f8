/**
 * Collects the tags embedded in a file into one flat object with canonical names: a string for one value, a list for several. Two readers contribute
 * (decision 041): music-metadata keeps several values apart and reads more kinds of tags, the engine reads more containers and all remaining fields.
 */
import { parseBuffer, parseFile, type IAudioMetadata } from "music-metadata";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Dictionary, FormatContext, Stream } from "node-av/lib";
import { setTimeout as pause } from "node:timers/promises";
import type { Riff } from "./riff.ts";

/** Bounds of the whole object, whose JSON text must stay below `MAX_ANNOTATIONS` of the message schema. */
const MAX_TAGS = 200;
const MAX_VALUES = 50;
const MAX_CHARACTERS = 200_000;
const MAX_VALUE_CHARACTERS = 4_000;
const MAX_LABEL_CHARACTERS = 200;
/** Files with a million tags take a few seconds; then the engine's tags are enough. */
const TIMEOUT_MS = 10_000;

/** The library reads an Ogg stream to its end, which takes longer than to decode it; tags are at its start. */
const OGG_BYTES = 2_000_000;

/** Tags that muxers write about themselves. */
const IGNORED_TAGS =
  /^(encoder|encoder settings|major_brand|minor_version|compatible_brands|handler_name|vendor_id|creation_time_ms|duration|number_of_(frames|bytes)|_statistics.*|metadata_block_picture|itunsmpb|itunnorm)$/;
/** Canonical names of tags that containers spell differently. */
const TAG_ALIASES = new Map([
  ["tsrc", "isrc"],
  ["tbpm", "bpm"],
  ["tempo", "bpm"],
  ["tmpo", "bpm"],
  ["tkey", "initial_key"],
  ["initialkey", "initial_key"],
  ["key", "initial_key"],
  ["album artist", "album_artist"],
  ["albumartist", "album_artist"],
  ["tracknumber", "track"],
  ["discnumber", "disc"],
  ["year", "date"],
]);
/** The prefixes of tags with a free name in ID3v2 and MP4, and the tag types in which all names are free. */
const FREE_NAME_PREFIX = /^(TXXX:|TXX:|----:[^:]*:)/i;
const FREE_NAME_TYPES = new Set(["vorbis", "APEv2"]);
/** Names with other characters are binary. */
const NAME = /^(?!.*\ufffd)[\p{L}\p{N}\p{P}\p{S} ]{1,100}$/u;

/**
 * The engine's names for ID3 fields and for those of a broadcast WAV, which may have both. Of ID3 fields with a free name and several values it takes names
 * from memory that it has released, so others are ignored.
 */
const ENGINE_ID3_NAME =
  /^(originator_reference|creation_time|time_reference|umid|coding_history|[TW][A-Z0-9]{2,3}|title|artist|album|album_artist|performer|composer|genre|comment|copyright|date|time|disc|track|publisher|encoded_by|language|grouping|compilation|(album|artist|title)-sort|lyrics(-[a-z]{3})?)$/;

type Values = readonly unknown[];

/** Returns the tags of the file at `path` as a plain object for JSON. `path` is null for files that only the engine reads, such as videos. */
export async function readAnnotations(path: string | null, format: FormatContext, stream: Stream | null, riff: Riff | null): Promise<Record<string, unknown>> {
  const annotations = createAnnotations();
  const parsed = path === null ? null : await parseTags(path, format.iformat?.name === "ogg");
  const freeTags = parsed ? collectFreeTags(parsed) : new Map<string, unknown[]>();
  const hasId3 = parsed !== null && Object.keys(parsed.native).some((type) => type.startsWith("ID3v2"));
  const engineTags = [format.metadata, stream?.metadata].flatMap((dictionary) => engineTagsOf(dictionary, hasId3 ? ENGINE_ID3_NAME : NAME));
  const engineTexts = new Map<string, string>();
  for (const [name, text] of engineTags) if (!engineTexts.has(name)) engineTexts.set(name, text);
  if (parsed) for (const [name, values] of separatedTags(parsed.common)) annotations.add(name, chooseValues(engineTexts.get(name), values));
  for (const [name, text] of engineTexts) annotations.add(name, chooseValues(text, freeTags.get(name) ?? []));
  if (parsed) for (const [name, values] of furtherTags(parsed.common)) annotations.add(name, values);
  for (const [name, values] of freeTags) annotations.add(name, values);
  if (riff?.isrc) annotations.add("isrc", [riff.isrc]);
  return {
    ...annotations.finish(),
    ...(riff?.timeReference ? { time_reference: riff.timeReference } : {}),
    ...(riff && riff.markers.length > 0
      ? { markers: riff.markers.map(({ at, label }) => ({ at: Number(at.toFixed(6)), label: shorten(clean(label), MAX_LABEL_CHARACTERS) })) }
      : {}),
  };
}

/** Collects tags within the bounds; the first source of a name wins. */
function createAnnotations() {
  const tags = new Map<string, string | string[]>();
  let characters = 0;
  return {
    add(name: string, values: Values): void {
      if (tags.has(name) || tags.size >= MAX_TAGS || IGNORED_TAGS.test(name)) return;
      const texts = [...new Set(values.slice(0, MAX_VALUES).flatMap(toTexts))].slice(0, MAX_VALUES);
      const size = texts.reduce((sum, text) => sum + text.length, name.length);
      if (texts.length === 0 || characters + size > MAX_CHARACTERS) return;
      characters += size;
      tags.set(name, texts.length === 1 ? texts[0]! : texts);
    },
    finish: (): Record<string, unknown> => Object.fromEntries(tags),
  };
}

/** Returns null if the library does not know the format, or gives up on the file: its tags are no reason to fail it. */
async function parseTags(path: string, isOgg: boolean): Promise<IAudioMetadata | null> {
  const timeout = new AbortController();
  const options = { duration: false, skipCovers: true };
  try {
    const parsed = isOgg ? parseBuffer(readHead(path), "audio/ogg", options) : parseFile(path, options);
    return await Promise.race([parsed, pause(TIMEOUT_MS, null, { signal: timeout.signal })]);
  } catch {
    return null;
  } finally {
    timeout.abort();
  }
}

function readHead(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(OGG_BYTES);
    return bytes.subarray(0, readSync(file, bytes, 0, OGG_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** An ID3v1 tag, and the ends of APEv2, Lyrics3 and ID3v2 tags, which ID3v1 may follow. */
const ID3V1_BYTES = 128;
const TRAILING_TAG = /(APETAGEX[^]{24}|LYRICS(200|END)|3DI[^]{7})$/;

/** Returns whether a tag follows the sound. A raw stream with one has more bytes than its frames, although nothing is missing. */
export function endsWithTag(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(ID3V1_BYTES + 32);
    const length = readSync(file, bytes, 0, bytes.length, Math.max(0, fstatSync(file).size - bytes.length));
    const tail = bytes.toString("latin1", 0, length);
    return TRAILING_TAG.test(tail) || tail.startsWith("TAG", length - ID3V1_BYTES);
  } finally {
    closeSync(file);
  }
}

const canonicalName = (name: string): string => {
  const lower = name.toLowerCase().trim();
  return TAG_ALIASES.get(lower) ?? lower;
};

const engineTagsOf = (dictionary: Dictionary | null | undefined, allowed: RegExp): [name: string, text: string][] =>
  Object.entries(dictionary?.getAll() ?? {}).flatMap(([name, text]) => (allowed.test(name) ? [[canonicalName(name), text]] : []));

/** Tags of which the engine joins several values. */
function separatedTags({ artist, artists = [], ...common }: IAudioMetadata["common"]): [name: string, values: Values][] {
  return [
    ["title", [common.title]],
    // A program may write the credit as shown and each artist alone.
    ["artist", artist === undefined || artists.includes(artist) ? artists : [artist]],
    ["album", [common.album]],
    ["album_artist", common.albumartists ?? [common.albumartist]],
    ["composer", common.composer ?? []],
    ["lyricist", common.lyricist ?? []],
    ["genre", common.genre ?? []],
    ["isrc", common.isrc ?? []],
  ];
}

/** Tags that the engine does not read from every kind of tag. */
function furtherTags({ track, disk, comment = [], ...common }: IAudioMetadata["common"]): [name: string, values: Values][] {
  const ofTotal = ({ no, of }: typeof track): Values => (no === null ? [] : [of === null ? no : `${no}/${of}`]);
  return [
    ["date", [common.date ?? common.year]],
    ["track", ofTotal(track)],
    ["disc", ofTotal(disk)],
    ["bpm", [common.bpm]],
    ["initial_key", [common.key]],
    ["publisher", common.label ?? []],
    ["copyright", [common.copyright]],
    ["comment", comment.flatMap(({ text, descriptor }) => (descriptor ? [] : [text]))],
  ];
}

/** Returns tags whose names are free, with all of their values. */
function collectFreeTags({ native }: IAudioMetadata): Map<string, unknown[]> {
  const tags = new Map<string, unknown[]>();
  for (const [type, typeTags] of Object.entries(native)) {
    for (const { id, value } of typeTags) {
      const name = id.replace(FREE_NAME_PREFIX, "");
      if ((name === id && !FREE_NAME_TYPES.has(type)) || !NAME.test(name) || typeof value === "object") continue;
      const known = tags.get(canonicalName(name));
      if (known) known.push(value);
      else if (tags.size < MAX_TAGS) tags.set(canonicalName(name), [value]);
    }
  }
  return tags;
}

/**
 * Prefers the engine's text, unless it joins several values or could not be decoded. What the library splits at slashes, which ID3v2.3 allows between
 * artists, stays together: AC/DC is one.
 */
function chooseValues(engineText: string | undefined, values: Values): Values {
  const isPreferred = engineText !== undefined && !engineText.includes("\ufffd") && (values.length < 2 || values.join("/") === engineText);
  return isPreferred || values.length === 0 ? [engineText] : values;
}

function toTexts(value: unknown): string[] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  return String(value)
    .slice(0, MAX_CHARACTERS)
    .split("\0")
    .map((text) => shorten(clean(decodeAgain(text)), MAX_VALUE_CHARACTERS))
    .filter((text) => text !== "");
}

/** Latin text in the wrong byte order has a low byte of zero almost everywhere. A few characters of other scripts have one too, such as U+4E00 and U+AC00. */
const MIN_SWAPPED_CHARACTERS = 3;
const SWAPPED_SHARE = 0.75;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Decodes text again that was read in the wrong encoding: UTF-8 as Latin-1, or UTF-16 in the wrong byte order. */
function decodeAgain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0080-\u00ff]/.test(text) && !/[^\u0000-\u00ff]/.test(text)) {
    try {
      return strictUtf8.decode(Buffer.from(text, "latin1"));
    } catch {
      return text;
    }
  }
  const units = Buffer.from(text, "utf16le");
  let swapped = 0;
  for (let index = 0; index < units.length; index += 2) if (units[index] === 0 && units[index + 1] !== 0) swapped += 1;
  const isSwapped = text.length >= MIN_SWAPPED_CHARACTERS && swapped >= text.length * SWAPPED_SHARE;
  return isSwapped ? units.swap16().toString("utf16le") : text;
}

/** Removes control characters and byte order marks. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe]/g, "")
    .trim();

/** Cuts a long text with an ellipsis, between two characters as people see them. */
function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = new Intl.Segmenter().segment(text.slice(0, maxCharacters + 100)).containing(maxCharacters - 1)?.index;
  return `${text.slice(0, start ?? maxCharacters - 1)}…`;
}
