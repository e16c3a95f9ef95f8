/** Drum and bass: 174 bpm, F minor. The bridge drops the distorted bass and leaves the melody to the bells. */
import { BELL, DEEP_BASS, GLASS_PAD, GROWL, LEAD } from "../patches.ts";
import type { Song } from "../song.ts";

const BREAKBEAT = {
  kick: ["X.....x...X.....", "X.....x...X...x."],
  snare: ["....X.......X...", "....X.......X..o"],
  hat: ["X.o.X.o.X.o.X.o.", "X.o.X.ooX.o.X.o."],
};
const CHORDS = ["Fm9", "Dbmaj7", "Bbm7", "C7"];

export const HALOGEN: Song = {
  title: "Halogen",
  key: "F minor",
  bpm: 174,
  beatsPerBar: 4,
  stepsPerBeat: 4,
  swing: 0,
  seed: 23,
  reverbSize: 0.6,
  echoBeats: 0.75,
  instruments: {
    kick: { plays: "drum", drum: "kick", stem: "drums", level: -7 },
    snare: { plays: "drum", drum: "snare", stem: "drums", level: -5, reverb: 0.12 },
    hat: { plays: "drum", drum: "hat", stem: "drums", level: -7 },
    ride: { plays: "drum", drum: "ride", stem: "drums", level: -8, reverb: 0.1 },
    crash: { plays: "drum", drum: "crash", stem: "drums", level: -8, reverb: 0.3 },
    bass: { plays: "bass", patch: GROWL, lowestPitch: 29, stem: "bass", level: -11, duck: 0.5 },
    sub: { plays: "bass", patch: DEEP_BASS, lowestPitch: 29, stem: "bass", level: -13, duck: 0.4 },
    pad: { plays: "chords", patch: GLASS_PAD, lowestPitch: 56, stem: "synths", level: -15, reverb: 0.6, duck: 0.3 },
    bell: { plays: "arpeggio", patch: BELL, lowestPitch: 68, noteSteps: 3, stem: "synths", level: -15, pan: 0.25, reverb: 0.5, echo: 0.5 },
    lead: { plays: "melody", patch: LEAD, stem: "lead", level: -14, reverb: 0.4, echo: 0.3, duck: 0.2 },
  },
  sections: [
    { name: "intro", bars: 4, chords: CHORDS, fade: [-7, -2], patterns: { pad: ["x_______________"], bell: ["0..2..1..3..2.1."], hat: ["x.x.x.x.x.x.x.x."] } },
    { name: "drums in", bars: 4, chords: CHORDS, patterns: { ...BREAKBEAT, pad: ["x_______________"], bell: ["0..2..1..3..2.1."], sub: ["1__.1__.1__.1__."] } },
    {
      name: "drop",
      bars: 8,
      chords: CHORDS,
      patterns: {
        ...BREAKBEAT,
        crash: ["X...............", ...Array<string>(7).fill("................")],
        bass: ["1_..1_..1_8.1_..", "1_..1_..1_8.1_5."],
        pad: ["x_______________"],
        lead: ["F4/6 Ab4/6 C5/4", "Db5/6 C5/2 Ab4/8", "Db5/6 Bb4/6 F4/4", "C5/12 -/4"],
      },
    },
    {
      name: "bridge",
      bars: 8,
      chords: ["Dbmaj7", "C7", "Fm", "Fm"],
      fade: [-3, -1],
      patterns: {
        kick: BREAKBEAT.kick,
        snare: BREAKBEAT.snare,
        ride: ["X...X...X...X..."],
        sub: ["1__.1__.1__.1__."],
        pad: ["x_______________"],
        bell: ["0.1.2.3.4.3.2.1."],
      },
    },
    {
      name: "second drop",
      bars: 8,
      chords: CHORDS,
      patterns: {
        ...BREAKBEAT,
        crash: ["X...............", ...Array<string>(7).fill("................")],
        bass: ["1_..1_..1_8.1_..", "1_..1_..1_8.1_5."],
        pad: ["x_______________"],
        bell: ["0..2..1..3..2.1."],
        lead: ["C5/6 Ab4/6 F4/4", "Ab4/6 F4/2 Db5/8", "Db5/6 F5/6 Db5/4", "C5/6 E5/6 C5/4"],
      },
    },
    {
      name: "outro",
      bars: 4,
      chords: ["Fm9", "Fm9", "C7", "Fm"],
      fade: [-1, -16],
      patterns: { pad: ["x_______________"], bell: ["0..2..1..3..2.1."], sub: ["1__.1__.1__.1__."], hat: ["x.x.x.x.x.x.x.x."] },
    },
  ],
};
