/** Reads what the streams of one file declare, and measures what they leave out: audio and video facts, duration. */
import { AV_NOPTS_VALUE, AV_PKT_DATA_DISPLAYMATRIX, type AVPixelFormat } from "node-av/constants";
import { avGetCodecName, avGetPixFmtName, Packet, type Stream } from "node-av/lib";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PassResult } from "../engine/audio-pass.ts";
import { isAgain, secondsPerTick } from "../engine/av.ts";
import { openInput } from "../engine/open.ts";
import type { AudioFacts, VideoFacts } from "../types.ts";

const LOSSLESS = /^(pcm_.*|flac|alac|ape|wavpack|tta|tak|truehd|mlp|shorten|ralf|wmalossless|mp4als|dsd_.*|dst)$/;
/** Companded PCM, which the codec pattern would count as lossless. */
const COMPANDED = /^pcm_(alaw|mulaw|vidc)$/;

/** Maximum padding frames that an encoder adds at both ends together; their bytes contain no audible samples. */
const PADDED_FRAMES = 3;

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
