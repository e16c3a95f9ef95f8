/** Records loudness over time for the live meter, and for the waveform until the service has computed one. */

const SLOTS_PER_SECOND = 10;
/** Maximum length of the stored waveform, about as many values as the service returns. */
const MAX_WAVE_VALUES = 200;

export type Levels = ReturnType<typeof createLevels>;

export function createLevels() {
  const slots: number[] = [];
  return {
    /** `loudness`: 1 is full scale. */
    add(seconds: number, loudness: number) {
      const level = Math.min(1, loudness);
      const slot = Math.max(0, Math.floor(seconds * SLOTS_PER_SECOND));
      // A background page ticks less often, so fill the gap with the current level.
      while (slots.length <= slot) slots.push(slots.length === slot ? 0 : level);
      slots[slot] = Math.max(slots[slot]!, level);
    },
    /** Returns the latest levels, newest last, padded with 0. */
    recent: (count: number) => Array.from({ length: count }, (_, index) => slots[slots.length - count + index] ?? 0),
    /** Returns the whole recording in at most 200 values. */
    wave() {
      const count = Math.min(MAX_WAVE_VALUES, slots.length);
      return Array.from({ length: count }, (_, index) => {
        const [from, to] = [index, index + 1].map((at) => Math.floor((at * slots.length) / count)) as [number, number];
        return Math.round(Math.max(...slots.slice(from, to)) * 100) / 100;
      });
    },
  };
}

/** Maximum amplification of quiet voices in a waveform, which should show when somebody speaks rather than how loudly. */
const MAX_GAIN = 8;

/** Scales the waveform of a voice so that its loudest value fills the height. */
export function normalizeWave(wave: readonly number[]): readonly number[] {
  const loudest = wave.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const gain = loudest > 0 ? Math.min(MAX_GAIN, 1 / loudest) : 1;
  return gain === 1 ? wave : wave.map((value) => Math.min(1, Math.abs(value) * gain));
}
