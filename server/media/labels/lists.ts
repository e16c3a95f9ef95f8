/** Default candidate labels, which an operator can override. */
import type { LabelGroup } from "./types.ts";

export const DEFAULT_LABELS: Record<LabelGroup, readonly string[]> = {
  genres: [
    "ambient",
    "blues",
    "classical",
    "country",
    "dance",
    "drum and bass",
    "electronic",
    "experimental",
    "folk",
    "funk",
    "gospel",
    "hip hop",
    "house",
    "jazz",
    "latin",
    "lo-fi",
    "metal",
    "musical theater",
    "pop",
    "punk",
    "R&B",
    "reggae",
    "rock",
    "soul",
    "soundtrack",
    "spoken word",
    "techno",
    "trap",
  ],
  moods: [
    "aggressive",
    "calm",
    "dark",
    "dreamy",
    "energetic",
    "epic",
    "happy",
    "melancholic",
    "mysterious",
    "playful",
    "romantic",
    "sad",
    "tense",
    "uplifting",
  ],
  instruments: [
    "acoustic guitar",
    "bass guitar",
    "brass",
    "cello",
    "choir",
    "double bass",
    "drum machine",
    "drums",
    "electric guitar",
    "electric piano",
    "flute",
    "harp",
    "organ",
    "percussion",
    "piano",
    "saxophone",
    "singing voice",
    "speech",
    "strings",
    "synthesizer",
    "trumpet",
    "violin",
  ],
};

/** Prompt templates for the labels of each group. */
export const HYPOTHESIS_TEMPLATES: Record<LabelGroup, string> = {
  genres: "This is {} music.",
  moods: "The mood of this music is {}.",
  instruments: "This is the sound of {}.",
};

/** Labels with a lower score are dropped. */
export const MIN_SCORE = 0.05;
/** Maximum number of labels per group. */
export const MAX_LABELS = 8;
