/** Generates labeled sets of songs, separate ones for tuning and for evaluation. */
import { HELD_OUT, HELD_OUT_BEATLESS } from "./held-out.ts";
import { MORE_BEATLESS, MORE_STYLES } from "./more-styles.ts";
import { seeded } from "./random.ts";
import type { SongPlan, Style } from "./song.ts";
import { HELD_OUT_SPARSE, SPARSE } from "./sparse.ts";
import { BEATLESS, STYLES } from "./styles.ts";

export interface LabeledSong {
  name: string;
  plan: SongPlan;
  /** Beats per minute, or null if there is no beat to find. */
  bpm: number | null;
  /** Pitch class from 0 (C) to 11. */
  tonic: number;
  mode: SongPlan["mode"];
}

function createLabeledSongs(styles: readonly Style[], beatless: readonly Style[], songsPerStyle: number, seed: number, seconds: number): LabeledSong[] {
  const random = seeded(seed);
  return [...styles, ...beatless].flatMap((style) =>
    Array.from({ length: songsPerStyle }, (_, n) => {
      const modes = (["major", "minor"] as const).filter((mode) => style.progressions[mode]);
      const scale = random.chance(0.5) ? 1 : 10;
      const exact = Math.round(random.between(...style.bpm) * scale) / scale;
      const mode = random.pick(modes);
      const tonic = Math.floor(random.between(0, 12));
      const plan: SongPlan = { style, seed: seed * 1_000 + n * 31 + style.name.length, seconds, bpm: exact, tonic, mode };
      if (n % 4 === 1) plan.cents = Math.round(random.between(-45, 45));
      if (n % 4 === 2) plan.modulation = { after: 0.68, by: random.pick([1, 2, 3]) };
      if (n % 4 === 3) plan.quietBars = 4;
      return { name: `${style.name} ${n}`, plan, bpm: beatless.includes(style) ? null : exact, tonic, mode };
    }),
  );
}

export const tuningSet = (songsPerStyle = 8): LabeledSong[] => [
  ...createLabeledSongs(STYLES, BEATLESS, songsPerStyle, 7, 40),
  ...createLabeledSongs(MORE_STYLES, MORE_BEATLESS, songsPerStyle, 1_009, 40),
];
export const heldOutSet = (songsPerStyle = 8): LabeledSong[] => createLabeledSongs(HELD_OUT, HELD_OUT_BEATLESS, songsPerStyle, 90_001, 40);

/** For tempo only, because most of these songs have no key. */
export const sparseTuningSet = (songsPerStyle = 8): LabeledSong[] => createLabeledSongs(SPARSE, [], songsPerStyle, 2_003, 40);
export const sparseHeldOutSet = (songsPerStyle = 8): LabeledSong[] => createLabeledSongs(HELD_OUT_SPARSE, [], songsPerStyle, 80_021, 40);

/**
 * Combines the drums of one style with the band of another, and adds each drum part alone, so that the tuning styles
 * also occur without their usual context.
 */
function mixStyles(styles: readonly Style[], seed: number): Style[] {
  const random = seeded(seed);
  return styles.flatMap((style) => {
    if (!style.drums) return [];
    const bands = styles.filter((other) => other !== style && other.beats === style.beats && other.steps === style.steps && (other.chords ?? other.bass));
    const drumsOnly: Style = {
      name: `${style.name}, drums`,
      bpm: style.bpm,
      beats: style.beats,
      steps: style.steps,
      drums: style.drums,
      progressions: style.progressions,
    };
    if (style.swing !== undefined) drumsOnly.swing = style.swing;
    if (style.humanize !== undefined) drumsOnly.humanize = style.humanize;
    if (bands.length === 0) return [drumsOnly];
    const { drums: _, bpm: __, swing: ___, name, ...band } = random.pick(bands);
    return [drumsOnly, { ...drumsOnly, ...band, name: `${style.name}, band of ${name}` }];
  });
}

const TUNING_STYLES = [...STYLES, ...MORE_STYLES];
export const mixedTuningSet = (songsPerStyle = 3): LabeledSong[] => createLabeledSongs(mixStyles(TUNING_STYLES, 11), [], songsPerStyle, 3_001, 40);
