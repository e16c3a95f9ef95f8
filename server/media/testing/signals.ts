/** Generates plain signals with known properties. */
import { seeded } from "./random.ts";

export const sine = (hertz: number, amplitude: number, seconds: number, rate: number, phase = 0): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate + phase));

export const noise = (amplitude: number, seconds: number, rate: number, seed = 1): Float32Array => {
  const random = seeded(seed);
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => amplitude * (random.next() * 2 - 1));
};

export const concatSignals = (...parts: readonly Float32Array[]): Float32Array => {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};
