/** What puts instruments into a room: reverberation (Schroeder's combs and all-passes) and an echo that changes sides. */
import { RATE, silence, type Track } from "./track.ts";

/** Samples at 44.1 kHz, none a multiple of another; the right side is a little longer. */
const COMBS = [1_557, 1_617, 1_491, 1_422, 1_277];
const ALL_PASSES = [225, 556];
const WIDER = 23;

function comb(input: Float32Array, output: Float32Array, delay: number, feedback: number, damping: number): void {
  const line = new Float32Array(delay);
  let damped = 0;
  for (let i = 0, at = 0; i < input.length; i++) {
    const out = line[at]!;
    damped = out * (1 - damping) + damped * damping;
    line[at] = input[i]! + damped * feedback;
    output[i]! += out;
    at = at + 1 === delay ? 0 : at + 1;
  }
}

function allPass(buffer: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  for (let i = 0, at = 0; i < buffer.length; i++) {
    const old = line[at]!;
    const input = buffer[i]!;
    line[at] = input + old * 0.5;
    buffer[i] = old - input * 0.5;
    at = at + 1 === delay ? 0 : at + 1;
  }
}

const isSilent = ({ left, right }: Track): boolean => left.every((value) => value === 0) && right.every((value) => value === 0);

/** Only the tail. `size` 0 to 1: from a room to a hall. */
export function reverberation(input: Track, size: number): Track {
  const output = silence(input.left.length / RATE);
  if (isSilent(input)) return output;
  const mono = input.left.map((value, i) => (value + input.right[i]!) * 0.5);
  for (const [side, wider] of [
    [output.left, 0],
    [output.right, WIDER],
  ] as const) {
    for (const delay of COMBS) comb(mono, side, delay + wider, 0.72 + 0.24 * size, 0.35);
    for (const delay of ALL_PASSES) allPass(side, delay + wider);
    for (let i = 0; i < side.length; i++) side[i]! *= 0.14;
  }
  return output;
}

/** Only the echoes: left, right, left …, each darker than the one before. */
export function echoes(input: Track, seconds: number, feedback: number): Track {
  const output = silence(input.left.length / RATE);
  if (isSilent(input)) return output;
  const delay = Math.round(seconds * RATE);
  let [darkLeft, darkRight] = [0, 0];
  for (let i = delay; i < input.left.length; i++) {
    darkLeft += 0.35 * (output.right[i - delay]! * feedback + (input.left[i - delay]! + input.right[i - delay]!) * 0.5 - darkLeft);
    darkRight += 0.35 * (output.left[i - delay]! - darkRight);
    output.left[i] = darkLeft;
    output.right[i] = darkRight;
  }
  return output;
}
