/** Reads what the streams of one file declare, and measures what they leave out: audio and video facts, embedded tags, duration. */
import { AV_NOPTS_VALUE, AV_PKT_DATA_DISPLAYMATRIX, type AVPixelFormat } from "node-av/constants";
import { avGetCodecName, avGetPixFmtName, type Dictionary, type FormatContext, Packet, type Stream } from "node-av/lib";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PassResult } from "../engine/audio-pass.ts";
import { isAgain, secondsPerTick } from "../engine/av.ts";
import { openInput } from "../engine/open.ts";
import type { AudioFacts, VideoFacts } from "../types.ts";
import type { Riff } from "./riff.ts";

const LOSSLESS = /^(pcm_.*|flac|alac|ape|wavpack|tta|tak|truehd|mlp|shorten|ralf|wmalossless|mp4als|dsd_.*|dst)$/;
/** Companded PCM, which the codec pattern would count as lossless. */
const COMPANDED = /^pcm_(alaw|mulaw|vidc)$/;

/** Maximum padding frames that an encoder adds at both ends together; their bytes contain no audible samples. */
const PADDED_FRAMES = 3;

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

const PACKETS_PER_YIELD = 10_000;

/** Builds the audio facts of the API from the decoding pass and the codec parameters. */
export function audioFacts(stream: Stream, pass: PassResult): AudioFacts {
  const { codecpar } = stream;
  const encoding = avGetCodecName(codecpar.codecId) ?? "unknown";
  const lossless = isLossless(encoding);
  const duration = pass.samples / pass.sampleRate;
  const bits =
    encoding.startsWith("pcm_") || encoding.startsWith("dsd_") ? codecpar.bitsPerCodedSample : codecpar.bitsPerRawSample || codecpar.bitsPerCodedSample;
  return {
    encoding,
    lossless,
    bitrate: bitrate(Number(codecpar.bitRate), pass.bytes, duration, codecpar.frameSize / pass.sampleRate),
    bitsPerSample: LOSSLESS.test(encoding) ? bits : 0,
    sampleRate: pass.sampleRate,
    channels: pass.channels,
    layout: pass.layout,
    samples: pass.samples,
    duration,
  };
}

const isLossless = (encoding: string): boolean => LOSSLESS.test(encoding) && !COMPANDED.test(encoding);

/** Returns the declared rate, the number people know ("192000"), if the packets confirm it, and the average otherwise. */
function bitrate(declared: number, bytes: number, seconds: number, frameSeconds: number): string {
  const measured = seconds > 0 ? (bytes * 8) / seconds : 0;
  const toleranceSeconds = seconds * 0.02 + PADDED_FRAMES * frameSeconds;
  if (declared > 0 && (measured === 0 || Math.abs((bytes * 8) / declared - seconds) < toleranceSeconds)) return String(Math.round(declared));
  return measured > 0 ? String(Math.round(measured)) : "";
}

export function videoFacts(stream: Stream, duration: number): VideoFacts {
  const { codecpar, avgFrameRate } = stream;
  const rotation = readRotation(stream);
  const isRotated = rotation === 90 || rotation === 270;
  const rate = avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : 0;
  return {
    encoding: avGetCodecName(codecpar.codecId) ?? "unknown",
    width: isRotated ? codecpar.height : codecpar.width,
    height: isRotated ? codecpar.width : codecpar.height,
    frameRate: Number(rate.toFixed(3)),
    rotation,
    pixelFormat: avGetPixFmtName(codecpar.format as AVPixelFormat) ?? "",
    duration,
  };
}

/** Reads the rotation from the display matrix that phones write: 16.16 fixed-point numbers whose a and b give the angle. */
function readRotation(stream: Stream): VideoFacts["rotation"] {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix || matrix.length < 36) return 0;
  const angle = (Math.atan2(matrix.readInt32LE(4), matrix.readInt32LE(0)) * 180) / Math.PI;
  return ((((Math.round(angle / 90) * 90) % 360) + 360) % 360) as VideoFacts["rotation"];
}

/** Collects the file's own tags from container and stream into one flat object with canonical names. */
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

/** Removes control characters and limits the length. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "")
    .slice(0, MAX_TAG_LENGTH)
    .trim();

/** Measures the seconds from the first packet's timestamp to the end of the last packet, for containers that declare no duration. */
export async function scanSeconds(path: string, onPackets: () => void): Promise<number> {
  const input = openInput(path);
  const packet = new Packet();
  packet.alloc();
  const ticks = input.format.streams.map((stream) => secondsPerTick(stream.timeBase));
  let first = Infinity;
  let last = -Infinity;
  try {
    for (let count = 1; ; count++) {
      const readStatus = input.format.readFrameSync(packet);
      if (readStatus < 0 && isAgain(readStatus)) continue;
      if (readStatus < 0) return last > first ? last - first : 0;
      const tick = ticks[packet.streamIndex] ?? 0;
      if (packet.pts !== AV_NOPTS_VALUE) {
        first = Math.min(first, Number(packet.pts) * tick);
        last = Math.max(last, Number(packet.pts + packet.duration) * tick);
      }
      packet.unref();
      if (count % PACKETS_PER_YIELD !== 0) continue;
      onPackets();
      await yieldToEventLoop();
    }
  } finally {
    packet.free();
    input.close();
  }
}
