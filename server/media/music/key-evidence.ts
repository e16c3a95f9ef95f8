/** Collects the evidence for each of the 24 keys of a track: how its notes fit, what the bass plays, and which chords it stays on, begins, ends and returns with. */
import type { ChromaFrame } from "./chroma.ts";
import { type Chord, MINOR, recognizeChords } from "./chords.ts";
import type { KeyProfiles } from "./key-profiles.ts";
import { createPitchFolder, estimateTuning, matchAt, normalizeMax, normalizeSum, standardize, sumVectors } from "./pitch-classes.ts";

export type Mode = "major" | "minor";

/** Evidence for one key. Intervals are semitones above its tonic. */
export interface KeyEvidence {
  tonic: number;
  mode: Mode;
  /** Correlation of the notes with the key's profile, -1..1, as the mean of segments of ten seconds. */
  fit: number;
  /** Share of the bass that plays this interval. */
  bass(interval: number): number;
  /** Share of the first and last two seconds on the tonic chord. */
  opening: number;
  closing: number;
  /** Share of the track on this chord. */
  chord(interval: number, mode: Mode): number;
  /** Share of all chord changes that lead from this chord to the tonic chord. */
  cadence(interval: number, mode: Mode): number;
}

/** Chroma frames (0.37 s each) per segment, about ten seconds or a few chords. Segments let the main key outvote a late modulation. */
const SEGMENT_FRAMES = 27;
/** Frames at both ends whose chords hint at the tonic. */
const END_FRAMES = 5;
/** Compresses magnitudes so that loud notes do not mask the others. */
const COMPRESSION_EXPONENT = 0.6;

const compress = (pitches: Float64Array): Float64Array => pitches.map((value) => value ** COMPRESSION_EXPONENT);

/** Returns the tuning in cents and the evidence for all keys, or null if the track has no notes. */
export function collectKeyEvidence(frames: readonly ChromaFrame[], profiles: KeyProfiles): { cents: number; keys: KeyEvidence[] } | null {
  const isSounding = ({ all }: ChromaFrame): boolean => all.some((value) => value > 0);
  const sounding = frames.slice(frames.findIndex(isSounding), frames.findLastIndex(isSounding) + 1);
  if (sounding.length === 0) return null;
  const chroma = sounding.map(({ all }) => normalizeMax(all));
  const cents = estimateTuning(sumVectors(chroma));
  const fold = createPitchFolder(cents);
  const pitches = chroma.map(fold);
  const bass = sounding.map((frame) => fold(normalizeMax(frame.bass)));
  const segments = Array.from({ length: Math.ceil(pitches.length / SEGMENT_FRAMES) }, (_, n) =>
    standardize(compress(sumVectors(pitches.slice(n * SEGMENT_FRAMES, (n + 1) * SEGMENT_FRAMES)))),
  );
  const bassShares = normalizeSum(sumVectors(bass));
  const chords = recognizeChords(pitches.map(compress), bass);
  const changes = countChanges(chords);
  const shareOf = (part: readonly Chord[], chord: Chord): number => part.filter((other) => other === chord).length / part.length;
  const shares = Array.from({ length: 24 }, (_, chord) => shareOf(chords, chord));
  const evidenceFor = (tonic: number, mode: Mode): KeyEvidence => {
    const chordAt = (interval: number, chordMode: Mode): Chord => ((tonic + interval) % 12) + (chordMode === "minor" ? MINOR : 0);
    const tonicChord = chordAt(0, mode);
    return {
      tonic,
      mode,
      fit: segments.reduce((sum, segment) => sum + matchAt(segment, profiles[mode], tonic), 0) / segments.length,
      bass: (interval) => bassShares[(tonic + interval) % 12]!,
      opening: shareOf(chords.slice(0, END_FRAMES), tonicChord),
      closing: shareOf(chords.slice(-END_FRAMES), tonicChord),
      chord: (interval, chordMode) => shares[chordAt(interval, chordMode)]!,
      cadence: (interval, chordMode) => (changes.get(changeId(chordAt(interval, chordMode), tonicChord)) ?? 0) / Math.max(1, changes.total),
    };
  };
  return { cents, keys: (["major", "minor"] as const).flatMap((mode) => Array.from({ length: 12 }, (_, tonic) => evidenceFor(tonic, mode))) };
}

const changeId = (from: Chord, to: Chord): number => from * 24 + to;

/** Counts the changes between successive chords by `changeId`, and all of them. */
function countChanges(chords: readonly Chord[]): Map<number, number> & { total: number } {
  const counts = Object.assign(new Map<number, number>(), { total: 0 });
  for (let i = 1; i < chords.length; i++) {
    if (chords[i] === chords[i - 1]) continue;
    const id = changeId(chords[i - 1]!, chords[i]!);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    counts.total++;
  }
  return counts;
}
