/** How loud a recording was over its time: for the meter while it goes on, and for its waveform until the service has drawn one. */

const PER_SECOND = 10;
/** Values of a kept waveform, about as many as the service gives. */
const KEPT = 200;

export interface Levels {
  /** `loud`: 1 is full scale. */
  note(seconds: number, loud: number): void;
  /** The newest last; 0 where there are not that many. */
  recent(count: number): number[];
  /** The whole time in at most 200 values. */
  wave(): number[];
}

export function createLevels(): Levels {
  const slots: number[] = [];
  return {
    note(seconds, loud) {
      const level = Math.min(1, loud);
      const slot = Math.max(0, Math.floor(seconds * PER_SECOND));
      // A page in the background is asked less often: what lies between was as loud as what is known.
      while (slots.length <= slot) slots.push(slots.length === slot ? 0 : level);
      slots[slot] = Math.max(slots[slot]!, level);
    },
    recent: (count) => Array.from({ length: count }, (_, index) => slots[slots.length - count + index] ?? 0),
    wave() {
      const count = Math.min(KEPT, slots.length);
      return Array.from({ length: count }, (_, index) => {
        const [from, to] = [index, index + 1].map((at) => Math.floor((at * slots.length) / count)) as [number, number];
        return Math.round(Math.max(...slots.slice(from, to)) * 100) / 100;
      });
    },
  };
}

/** Quiet voices are drawn up to this many times larger: here one looks for words, not for loudness. */
const MOST_GAIN = 8;

/** The wave of a voice as it is drawn: its loudest value fills the height. */
export function drawnUp(wave: readonly number[]): readonly number[] {
  const loudest = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const gain = loudest > 0 ? Math.min(MOST_GAIN, 1 / loudest) : 1;
  return gain === 1 ? wave : wave.map((value) => Math.min(1, Math.abs(value) * gain));
}
