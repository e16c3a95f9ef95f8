/** Stereo effects: reverb and ping-pong delay. Both return only the effect, without the dry signal. */
import { SAMPLE_RATE, silentTrack, type Track } from "./track.ts";

/** Delays of the filters in samples at 44.1 kHz, five of the eight combs and two of the four all-passes of Freeverb. */
const COMB_DELAYS = [1_557, 1_617, 1_491, 1_422, 1_277];
const ALL_PASS_DELAYS = [225, 556];
/** Samples by which the delays of the right channel are longer, so that the channels differ. */
const STEREO_SPREAD = 23;

/** Feedback comb filter with a one-pole low-pass in the feedback path, added to `output`; `delay` in samples, `feedback` and `damping` 0 to 1. */
function comb(input: Float32Array, output: Float32Array, delay: number, feedback: number, damping: number): void {
  const delayLine = new Float32Array(delay);
  let lowPassed = 0;
  for (let i = 0, at = 0; i < input.length; i++) {
    const delayed = delayLine[at]!;
    lowPassed = delayed * (1 - damping) + lowPassed * damping;
    delayLine[at] = input[i]! + lowPassed * feedback;
    output[i]! += delayed;
    at = at + 1 === delay ? 0 : at + 1;
  }
}

/** All-pass filter (Schroeder), in place; `delay` in samples. */
function allPass(buffer: Float32Array, delay: number): void {
  const delayLine = new Float32Array(delay);
  for (let i = 0, at = 0; i < buffer.length; i++) {
    const delayed = delayLine[at]!;
    const input = buffer[i]!;
    delayLine[at] = input + delayed * 0.5;
    buffer[i] = delayed - input * 0.5;
    at = at + 1 === delay ? 0 : at + 1;
  }
}

const isSilent = ({ left, right }: Track): boolean => left.every((value) => value === 0) && right.every((value) => value === 0);

/** Reverb of parallel comb filters followed by all-pass filters (Schroeder); `size` from 0 (a small space) to 1 (a hall). */
export function reverb(input: Track, size: number): Track {
  const output = silentTrack(input.left.length / SAMPLE_RATE);
  if (isSilent(input)) return output;
  const mono = input.left.map((value, i) => (value + input.right[i]!) * 0.5);
  for (const [channel, extraDelay] of [
    [output.left, 0],
    [output.right, STEREO_SPREAD],
  ] as const) {
    for (const delay of COMB_DELAYS) comb(mono, channel, delay + extraDelay, 0.72 + 0.24 * size, 0.35);
    for (const delay of ALL_PASS_DELAYS) allPass(channel, delay + extraDelay);
    for (let i = 0; i < channel.length; i++) channel[i]! *= 0.14;
  }
  return output;
}

/** Ping-pong delay: echoes every `seconds` that alternate between left and right; a one-pole low-pass makes each one duller than the one before. */
export function pingPongDelay(input: Track, seconds: number, feedback: number): Track {
  const output = silentTrack(input.left.length / SAMPLE_RATE);
  if (isSilent(input)) return output;
  const delay = Math.round(seconds * SAMPLE_RATE);
  let [left, right] = [0, 0];
  for (let i = delay; i < input.left.length; i++) {
    left += 0.35 * (output.right[i - delay]! * feedback + (input.left[i - delay]! + input.right[i - delay]!) * 0.5 - left);
    right += 0.35 * (output.left[i - delay]! - right);
    output.left[i] = left;
    output.right[i] = right;
  }
  return output;
}
