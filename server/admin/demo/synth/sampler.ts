/** Sounds that were made once are played again: a song repeats itself, and making a note costs more than adding it. */
import { RATE, silence, type Track } from "./track.ts";

/** The same sound again and again would be heard as a machine: so many kinds of each, in turns. */
const VARIANTS = 2;

export class Sampler {
  readonly #kept = new Map<string, { made: Track[]; next: number }>();

  /** Adds the sound called `name` at so many seconds; `make` fills a track of `seconds`. */
  place(to: Track, name: string, { at, seconds, gain }: { at: number; seconds: number; gain: number }, make: (track: Track) => void): void {
    const kept = this.#kept.get(name) ?? { made: [], next: 0 };
    this.#kept.set(name, kept);
    const nth = kept.next++ % VARIANTS;
    let sound = kept.made[nth];
    if (!sound) {
      sound = silence(seconds);
      make(sound);
      kept.made[nth] = sound;
    }
    mix(to, sound, Math.max(0, Math.round(at * RATE)), gain);
  }
}

function mix(to: Track, sound: Track, from: number, gain: number): void {
  const { left, right } = to;
  const { left: soundLeft, right: soundRight } = sound;
  const length = Math.min(soundLeft.length, left.length - from);
  for (let i = 0; i < length; i++) {
    left[from + i]! += soundLeft[i]! * gain;
    right[from + i]! += soundRight[i]! * gain;
  }
}
