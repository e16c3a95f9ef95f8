/** Builds the audio facts of the API from the decoding pass and the codec parameters. */
import { avGetCodecName, type Stream } from "node-av/lib";
import type { PassResult } from "../engine/audio-pass.ts";
import type { AudioFacts } from "../types.ts";

const LOSSLESS = /^(pcm_.*|flac|alac|ape|wavpack|tta|tak|truehd|mlp|shorten|ralf|wmalossless|mp4als|dsd_.*|dst)$/;
/** Companded PCM, which the codec pattern would count as lossless. */
const COMPANDED = /^pcm_(alaw|mulaw|vidc)$/;

export const isLossless = (encoding: string): boolean => LOSSLESS.test(encoding) && !COMPANDED.test(encoding);

/** Padding frames that an encoder adds at both ends together: bytes without audible samples. */
const PADDED_FRAMES = 3;

/** Returns the declared rate, the number people know ("192000"), if the packets confirm it, and the average otherwise. */
function bitrate(declared: number, bytes: number, seconds: number, frameSeconds: number): string {
  const measured = seconds > 0 ? (bytes * 8) / seconds : 0;
  const toleranceSeconds = seconds * 0.02 + PADDED_FRAMES * frameSeconds;
  if (declared > 0 && (measured === 0 || Math.abs((bytes * 8) / declared - seconds) < toleranceSeconds)) return String(Math.round(declared));
  return measured > 0 ? String(Math.round(measured)) : "";
}

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
