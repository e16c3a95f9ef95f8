/** How loud a recording was over its time: for the meter while it goes on, and for its waveform until the service has drawn one. */

const SLOTS_PER_SECOND = 10;
/** Values of a kept waveform, about as many as the service gives. */
const MAX_WAVE_VALUES = 200;

export interface Levels {
  /** `loudness`: 1 is full scale. */
  add(seconds: number, loudness: number): void;
  /** The newest last; 0 where there are not that many. */
  recent(count: number): number[];
  /** The whole time in at most 200 values. */
  wave(): number[];
}

export function createLevels(): Levels {
  const slots: number[] = [];
  return {
    add(seconds, loudness) {
      const level = Math.min(1, loudness);
      const slot = Math.max(0, Math.floor(seconds * SLOTS_PER_SECOND));
      // A page in the background is asked less often: what lies between was as loud as what is known.
      while (slots.length <= slot) slots.push(slots.length === slot ? 0 : level);
      slots[slot] = Math.max(slots[slot]!, level);
    },
    recent: (count) => Array.from({ length: count }, (_, index) => slots[slots.length - count + index] ?? 0),
    wave() {
      const count = Math.min(MAX_WAVE_VALUES, slots.length);
      return Array.from({ length: count }, (_, index) => {
        const [from, to] = [index, index + 1].map((at) => Math.floor((at * slots.length) / count)) as [number, number];
        return Math.round(Math.max(...slots.slice(from, to)) * 100) / 100;
      });
    },
  };
}

/** Quiet voices are drawn up to this many times larger: here one looks for words, not for loudness. */
const MAX_GAIN = 8;

/** The wave of a voice as it is drawn: its loudest value fills the height. */
export function normalizeWave(wave: readonly number[]): readonly number[] {
  const loudest = wave.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const gain = loudest > 0 ? Math.min(MAX_GAIN, 1 / loudest) : 1;
  return gain === 1 ? wave : wave.map((value) => Math.min(1, Math.abs(value) * gain));
}
