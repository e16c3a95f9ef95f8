/** A film cue: waltz, 138 bpm, D minor. The arrangement grows when the bridge opens in the picture, and the music ends on a cut. */
import { BELL, DEEP_BASS, FLUTE, KEYS, STRINGS } from "../patches.ts";
import type { Song } from "../song.ts";

const THEME = ["Dm", "Gm", "A7", "Dm", "Bb", "F", "Gm6", "A7"];
const MELODY = ["A4/4 D5/2", "F5/4 D5/2", "E5/4 C#5/2", "D5/6", "D5/4 F5/2", "A5/4 F5/2", "G5/2 E5/2 D5/2", "C#5/6"];
const OOM_PAH = ["..x_x_"];

export const BRIDGE_WALTZ: Song = {
  title: "Bridge waltz",
  key: "D minor",
  bpm: 138,
  beatsPerBar: 3,
  stepsPerBeat: 2,
  swing: 0,
  seed: 53,
  reverbSize: 0.85,
  echoBeats: 1.5,
  instruments: {
    kick: { plays: "drum", drum: "kick", stem: "drums", level: -9, reverb: 0.15 },
    brush: { plays: "drum", drum: "brush", stem: "drums", level: -5, reverb: 0.25 },
    ride: { plays: "drum", drum: "ride", stem: "drums", level: -9, reverb: 0.2 },
    bass: { plays: "bass", patch: DEEP_BASS, lowestPitch: 38, stem: "bass", level: -11, reverb: 0.1 },
    keys: { plays: "chords", patch: KEYS, lowestPitch: 57, stem: "synths", level: -11, pan: -0.25, reverb: 0.35 },
    strings: { plays: "chords", patch: STRINGS, lowestPitch: 57, stem: "synths", level: -19, reverb: 0.6 },
    bell: { plays: "arpeggio", patch: BELL, lowestPitch: 69, noteSteps: 2, stem: "synths", level: -17, pan: 0.3, reverb: 0.6 },
    flute: { plays: "melody", patch: FLUTE, stem: "lead", level: -13, reverb: 0.5 },
  },
  sections: [
    { name: "alone", bars: 4, chords: ["Dm", "Dm", "A7", "Dm"], fade: [-6, -3], patterns: { bell: ["012321"], bass: ["1_____"], keys: OOM_PAH } },
    { name: "theme", bars: 8, chords: THEME, fade: [-3, -2], patterns: { bass: ["1_____"], keys: OOM_PAH, brush: ["..x.x."], flute: MELODY } },
    {
      name: "bridge opens",
      bars: 16,
      chords: THEME,
      patterns: {
        kick: ["X....."],
        brush: ["..x.x."],
        ride: ["x.x.x."],
        bass: ["1___5_"],
        keys: OOM_PAH,
        strings: ["x_____"],
        bell: ["012321"],
        flute: MELODY,
      },
    },
    {
      name: "cut",
      bars: 4,
      chords: ["Dm", "A7", "Dm", "Dm"],
      fade: [-2, -7],
      patterns: {
        bass: ["1_____", "1_____", "1_____", "......"],
        strings: ["x_____", "x_____", "x_____", "......"],
        bell: ["012321", "012321", "0.....", "......"],
      },
    },
  ],
};
