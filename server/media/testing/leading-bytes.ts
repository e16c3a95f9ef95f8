/** Builds sounds of many formats, and what may stand in front of a sound: tags, zeros, unrelated bytes. */
import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from "node-av/constants";
import { readFileSync } from "node:fs";
import { type AudioTarget, AudioWriter } from "../engine/audio-writer.ts";
import { randomBytes } from "./random.ts";
import { sine } from "./signals.ts";
import { apeV2, id3v2, pictureFrame, textFrame } from "./tagged.ts";

const TONE_RATE = 48_000;

const TONE_TARGETS = {
  wav: { format: "wav", codec: "pcm_s16le" },
  aiff: { format: "aiff", codec: "pcm_s16be" },
  flac: { format: "flac", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16 },
  mp3: { format: "mp3", codec: "libmp3lame", formatOptions: { id3v2_version: "0" } },
  mp3bare: { format: "mp3", codec: "libmp3lame", formatOptions: { id3v2_version: "0", write_xing: "0" } },
  mp2: { format: "mp2", codec: "mp2" },
  adts: { format: "adts", codec: "aac" },
  ac3: { format: "ac3", codec: "ac3" },
  eac3: { format: "eac3", codec: "eac3" },
  vorbis: { format: "ogg", codec: "libvorbis" },
  opus: { format: "ogg", codec: "libopus" },
  tta: { format: "tta", codec: "tta", sampleFormat: AV_SAMPLE_FMT_S16 },
  wavpack: { format: "wv", codec: "wavpack", sampleFormat: AV_SAMPLE_FMT_S16P },
  matroska: { format: "matroska", codec: "pcm_s16le" },
} satisfies Record<string, Pick<AudioTarget, "format" | "codec" | "sampleFormat" | "formatOptions">>;

export type ToneFormat = keyof typeof TONE_TARGETS;
export const TONE_FORMATS = Object.keys(TONE_TARGETS) as ToneFormat[];

/** Returns a stereo tone as a file of this format, without any tags. The file at `path` is overwritten. */
export function encodeTone(path: string, format: ToneFormat, seconds: number): Buffer {
  const channels = [sine(440, 0.4, seconds, TONE_RATE), sine(660, 0.4, seconds, TONE_RATE)];
  const writer = new AudioWriter({ ...TONE_TARGETS[format], path, sampleRate: TONE_RATE, channels: 2, bitRate: 192_000 });
  writer.write(channels, channels[0]!.length);
  writer.finish();
  return readFileSync(path);
}

/** Returns silence in MPEG audio, layer I, 384 kb/s at 44.1 kHz. Its first two bytes are the byte order mark of UTF-16. */
export function silentLayerOne(frames: number): Buffer {
  const frame = Buffer.alloc(Math.floor((12 * 384_000) / 44_100) * 4);
  frame.set([0xff, 0xfe, 0xc0, 0x00]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** Returns silence in Monkey's Audio, version 3.99, one frame of a second, stereo. */
export function silentApe(): Buffer {
  const descriptor = Buffer.alloc(52);
  descriptor.write("MAC ");
  descriptor.writeUInt16LE(3_990, 4);
  const frame = Buffer.alloc(32);
  const header = Buffer.alloc(24);
  for (const [value, offset] of [
    [descriptor.length, 8],
    [header.length, 12],
    [4, 16],
    [frame.length, 24],
  ] as const)
    descriptor.writeUInt32LE(value, offset);
  header.writeUInt16LE(2_000, 0);
  for (const [value, offset] of [
    [294_912, 4],
    [TONE_RATE, 8],
    [1, 12],
    [TONE_RATE, 20],
  ] as const)
    header.writeUInt32LE(value, offset);
  header.writeUInt16LE(16, 16);
  header.writeUInt16LE(2, 18);
  // A checksum with a mark that flags follow, and the flags that both channels are silent.
  frame.writeUInt32LE(0x8000_0000, 0);
  frame.writeUInt32LE(3, 4);
  const seekTable = Buffer.alloc(4);
  seekTable.writeUInt32LE(descriptor.length + header.length + seekTable.length, 0);
  return Buffer.concat([descriptor, header, seekTable, frame]);
}

/** An ID3v2.3 tag with a title, and with a picture of so many bytes. */
function id3Tag(title: string, pictureBytes = 0): Buffer {
  const picture = pictureFrame(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(pictureBytes)]));
  return id3v2([["TIT2", textFrame("latin1", title)], ...(pictureBytes > 0 ? [["APIC", picture] as [string, Buffer]] : [])], { version: 3, padding: 200 });
}

/** What may stand in front of a sound, by name. */
export const LEADING_PARTS: Record<string, Buffer> = {
  "an ID3v2 tag": id3Tag("In front"),
  "an ID3v2 tag with a large picture": id3Tag("In front", 600_000),
  "two ID3v2 tags": Buffer.concat([id3Tag("In front"), id3Tag("Second")]),
  "an APEv2 tag": apeV2([["Title", ["In front"]]], { isLeading: true }),
  zeros: Buffer.alloc(100_417),
  "an ID3v2 tag and zeros": Buffer.concat([id3Tag("In front"), Buffer.alloc(700)]),
};
/** The same for bytes without a meaning, behind which only some formats are found. */
export const UNRELATED_PARTS: Record<string, Buffer> = {
  "random bytes": randomBytes(3_001),
  "many random bytes": randomBytes(400_000),
  "an ID3v2 tag and random bytes": Buffer.concat([id3Tag("In front"), randomBytes(2_000)]),
  "the head of a web response": Buffer.from("HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n"),
};
