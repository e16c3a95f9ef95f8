/** A ballad: 92 bpm, E flat major, keys and strings; the drums come in with the chorus. */
import { DEEP_BASS, FLUTE, KEYS, STRINGS } from "../patches.ts";
import type { Song } from "../song.ts";

const VERSE = ["Eb", "Cm7", "Abmaj7", "Bb"];
const CHORUS = ["Ab", "Bb", "Eb/G", "Cm", "Ab", "Bb", "Eb", "Eb"];
const KEYS_ARPEGGIO = ["0.1.2.1.3.2.1.2."];
const BACKBEAT = { kick: ["X.....x.X......."], brush: ["....X.......X..."], shaker: ["x.o.x.o.x.o.x.o."] };

export const PAPER_MOON: Song = {
  title: "Paper Moon",
  key: "Eb major",
  bpm: 92,
  beatsPerBar: 4,
  stepsPerBeat: 4,
  swing: 0.18,
  seed: 37,
  reverbSize: 0.7,
  echoBeats: 1,
  instruments: {
    kick: { plays: "drum", drum: "kick", stem: "drums", level: -8 },
    brush: { plays: "drum", drum: "brush", stem: "drums", level: -4, reverb: 0.2 },
    shaker: { plays: "drum", drum: "shaker", stem: "drums", level: -7 },
    bass: { plays: "bass", patch: DEEP_BASS, lowestPitch: 32, stem: "bass", level: -12 },
    keys: { plays: "arpeggio", patch: KEYS, lowestPitch: 58, noteSteps: 4, stem: "synths", level: -13, reverb: 0.3 },
    strings: { plays: "chords", patch: STRINGS, lowestPitch: 58, stem: "synths", level: -20, reverb: 0.6 },
    flute: { plays: "melody", patch: FLUTE, stem: "lead", level: -14, pan: 0.06, reverb: 0.45, echo: 0.15 },
  },
  sections: [
    { name: "intro", bars: 2, chords: ["Eb", "Abmaj7"], patterns: { keys: KEYS_ARPEGGIO } },
    {
      name: "verse",
      bars: 4,
      chords: VERSE,
      patterns: {
        keys: KEYS_ARPEGGIO,
        bass: ["1_______5___1___"],
        shaker: ["x.o.x.o.x.o.x.o."],
        flute: ["G4/4 Bb4/4 Eb5/8", "D5/4 C5/4 G4/8", "C5/6 Bb4/2 Ab4/8", "Bb4/12 -/4"],
      },
    },
    {
      name: "chorus",
      bars: 8,
      chords: CHORUS,
      patterns: {
        ...BACKBEAT,
        keys: KEYS_ARPEGGIO,
        strings: ["x_______________"],
        bass: ["1_____1_5___1___"],
        flute: [
          "Eb5/6 F5/2 Eb5/4 C5/4",
          "D5/6 Eb5/2 F5/8",
          "G5/8 F5/4 Eb5/4",
          "Eb5/6 D5/2 C5/8",
          "C5/6 D5/2 Eb5/8",
          "F5/6 Eb5/2 D5/8",
          "Eb5/16",
          "-/8 Bb4/4 D5/4",
        ],
      },
    },
    {
      name: "outro",
      bars: 4,
      chords: ["Ab", "Fm7", "Eb", "Eb"],
      fade: [-1, -9],
      patterns: {
        keys: ["0.1.2.1.3.2.1.2.", "0.1.2.1.3.2.1.2.", "0.1.2.1.3.2.1.2.", "0..............."],
        strings: ["x_______________"],
        bass: ["1_______________"],
        flute: ["C5/8 Eb5/8", "C5/8 Ab4/8", "Bb4/16", "-/16"],
      },
    },
  ],
};
