/** Whole audio files whose containers say little, or something wrong, about their length, as other programs and browsers write them. */
import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from "node-av/constants";
import { readFileSync, writeFileSync } from "node:fs";
import { encodeAs, encodeFile, RECIPES, type RecipeName } from "./formats.ts";

type Write = (path: string, channels: readonly Float32Array[], rate: number) => void;

const BARE = { write_xing: "0" };
const VARIABLE_RATE = { flags: "+qscale", global_quality: "354" };
const FRAGMENTED = { movflags: "+empty_moov+default_base_moof+frag_keyframe", frag_duration: "1000000" };

const encode =
  (encoding: Parameters<typeof encodeAs>[1]): Write =>
  (path, channels, rate) =>
    encodeAs(path, encoding, channels, rate);

/** Writes a file with `write` and changes its bytes. */
const edit =
  (write: Write, change: (bytes: Buffer) => Buffer): Write =>
  (path, channels, rate) => {
    write(path, channels, rate);
    writeFileSync(path, change(readFileSync(path)));
  };

const recipe =
  (name: RecipeName): Write =>
  (path, channels, rate) =>
    encodeFile(path, name, channels, rate);

/** Two streams after each other in one file, as recorders and radio stations write them. */
const chain =
  (write: Write): Write =>
  (path, channels, rate) => {
    const half = Math.floor(channels[0]!.length / 3);
    const parts = [channels.map((samples) => samples.subarray(0, half)), channels.map((samples) => samples.subarray(half))].map((part) => {
      write(path, part, rate);
      return readFileSync(path);
    });
    writeFileSync(path, Buffer.concat(parts));
  };

/** Writes the number of frames that the Xing header declares. */
function setXingFrames(mp3: Buffer, change: (frames: number) => number): Buffer {
  const at = Math.max(mp3.subarray(0, 4_096).indexOf("Xing"), mp3.subarray(0, 4_096).indexOf("Info"));
  if (at < 0) throw new Error("There is no Xing header");
  mp3.writeUInt32BE(change(mp3.readUInt32BE(at + 8)), at + 8);
  return mp3;
}

const MP3_FRAME_SAMPLES = 1_152;
/** 128 kb/s at 44.1 kHz. */
const VBRI_FRAME_BYTES = 417;

/** Puts Fraunhofer's header with an index of a second each in front of a bare MP3 at 44.1 kHz. */
function withVbri(mp3: Buffer): Buffer {
  const first = mp3.indexOf(Buffer.from([0xff, 0xfb]));
  const frames = listMp3Frames(mp3.subarray(first));
  const framesPerEntry = Math.round(44_100 / MP3_FRAME_SAMPLES);
  const entries: number[] = [];
  for (let at = 0; at < frames.length; at += framesPerEntry) entries.push(frames.slice(at, at + framesPerEntry).reduce((sum, size) => sum + size, 0));
  const header = Buffer.alloc(VBRI_FRAME_BYTES);
  mp3.copy(header, 0, first, first + 4);
  header[2] = 0x90;
  header.write("VBRI", 36);
  let at = 40;
  for (const value of [1, 0, 75]) at = header.writeUInt16BE(value, at);
  for (const value of [mp3.length - first + VBRI_FRAME_BYTES, frames.length]) at = header.writeUInt32BE(value, at);
  for (const value of [entries.length, 1, 2, framesPerEntry]) at = header.writeUInt16BE(value, at);
  for (const value of entries) at = header.writeUInt16BE(value, at);
  return Buffer.concat([header, mp3.subarray(first)]);
}

const KILOBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** Returns the sizes in bytes of the frames of an MP3 at 44.1 kHz. */
function listMp3Frames(mp3: Buffer): number[] {
  const sizes: number[] = [];
  for (let at = 0; at + 4 <= mp3.length && mp3[at] === 0xff;) {
    const size = Math.floor((144_000 * KILOBITS[mp3[at + 2]! >> 4]!) / 44_100) + ((mp3[at + 2]! >> 1) & 1);
    sizes.push(size);
    at += size;
  }
  return sizes;
}

/** Changes an M4A's edit list so that players skip the first half second. */
function skipHalfSecond(m4a: Buffer, rate: number): Buffer {
  const at = m4a.indexOf("elst");
  const movieTicksPerSecond = m4a.readUInt32BE(m4a.indexOf("mvhd") + 16);
  m4a.writeUInt32BE(m4a.readUInt32BE(at + 12) - Math.round(movieTicksPerSecond / 2), at + 12);
  m4a.writeUInt32BE(m4a.readUInt32BE(at + 16) + Math.round(rate / 2), at + 16);
  return m4a;
}

const bareVbr = encode({ format: "mp3", codec: "libmp3lame", codecOptions: VARIABLE_RATE, formatOptions: BARE });
const oggFlac = encode({ format: "ogg", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16 });

const ODD_FILES = {
  "MP3, variable rate, bare": bareVbr,
  "MP3, variable rate, VBRI": edit(bareVbr, withVbri),
  "MP3, 64 kb/s, bare": encode({ format: "mp3", codec: "libmp3lame", bitRate: 64_000, formatOptions: BARE }),
  "MP3, twice the frames declared": edit(recipe("mp3vbr"), (mp3) => setXingFrames(mp3, (frames) => frames * 2)),
  "MP3, half the frames declared": edit(recipe("mp3cbr"), (mp3) => setXingFrames(mp3, (frames) => frames >> 1)),
  "MP3 in MP4": encode({ format: "mp4", codec: "libmp3lame", codecOptions: VARIABLE_RATE }),
  "ADTS, variable rate": encode({ format: "adts", codec: "aac", codecOptions: { flags: "+qscale", global_quality: "236" } }),
  "AAC in Matroska": encode({ format: "matroska", codec: "aac", bitRate: 128_000 }),
  "AAC in MPEG-TS": encode({ format: "mpegts", codec: "aac", bitRate: 128_000 }),
  "AAC in fragmented MP4": encode({ format: "mp4", codec: "aac", bitRate: 128_000, formatOptions: FRAGMENTED }),
  "M4A that skips half a second": (path, channels, rate) => edit(recipe("m4a"), (m4a) => skipHalfSecond(m4a, rate))(path, channels, rate),
  "Opus in MP4": encode({ format: "mp4", codec: "libopus", bitRate: 96_000 }),
  "Opus in fragmented MP4": encode({ format: "mp4", codec: "libopus", bitRate: 96_000, formatOptions: FRAGMENTED }),
  "FLAC in Ogg": oggFlac,
  "FLAC in MP4": encode({ format: "mp4", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16 }),
  "Vorbis, chained": chain(recipe("vorbis")),
  "Opus, chained": chain(recipe("opus")),
  "Windows Media": encode({ format: "asf", codec: "wmav2", bitRate: 128_000 }),
  WavPack: encode({ format: "wv", codec: "wavpack", sampleFormat: AV_SAMPLE_FMT_S16P }),
  "A-law WAV": encode({ format: "wav", codec: "pcm_alaw" }),
} satisfies Record<string, Write>;

const AT_48_KHZ: ReadonlySet<string> = new Set(["Opus in MP4", "Opus in fragmented MP4", "Opus, chained"]);

export type AnyFile = RecipeName | keyof typeof ODD_FILES;

/** Every file that the tests can write, with the sample rate at which to write it. */
export const ALL_FILES = Object.fromEntries([
  ...(Object.keys(RECIPES) as RecipeName[]).map((name) => [name, { write: recipe(name), rate: RECIPES[name].rates?.[0] ?? 44_100 }]),
  ...Object.entries(ODD_FILES).map(([name, write]) => [name, { write, rate: AT_48_KHZ.has(name) ? 48_000 : 44_100 }]),
]) as Record<AnyFile, { write: Write; rate: number }>;
