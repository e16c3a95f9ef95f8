/** A club track: 128 bpm, A minor. From the drop on, the bass plays a rolling pattern. */
import { LEAD, PLUCK, ROUND_BASS, STAB, WARM_PAD } from "../patches.ts";
import type { Song } from "../song.ts";

const FOUR_ON_THE_FLOOR = ["X...X...X...X..."];
const OFFBEAT_BASS = ["..1_..1_..1_..1_", "..1_..1_..1_..15"];
const ROLLING_BASS = ["..1_..1_.11_..8_", "..1_..1_..1_.15_", "..1_..1_.11_..8_", "..1_..1_..5_1_8_"];
const HATS = ["x.o.x.o.x.o.x.oo"];
const OPEN_HAT = ["..x...x...x...x."];
const CLAP = ["....X.......X...", "....X.......X..o"];
const ARP = ["0213021302130213", "0213024302130243"];
const CHORDS = ["Am", "F", "C", "G"];
const DROP_CHORDS = ["Am9", "Fmaj7", "C", "Em7"];
const HOOK = ["A4/3 C5/3 E5/4 D5/2 C5/4", "A4/6 -/2 C5/4 A4/4", "G4/3 C5/3 E5/4 G5/2 E5/4", "E5/6 D5/2 B4/4 G4/4"];

export const NIGHTDRIVE: Song = {
  title: "Nightdrive",
  key: "A minor",
  bpm: 128,
  beatsPerBar: 4,
  stepsPerBeat: 4,
  swing: 0.12,
  seed: 11,
  reverbSize: 0.55,
  echoBeats: 0.75,
  instruments: {
    kick: { plays: "drum", drum: "kick", stem: "drums", level: -9 },
    clap: { plays: "drum", drum: "clap", stem: "drums", level: -8, reverb: 0.25 },
    hat: { plays: "drum", drum: "hat", stem: "drums", level: -7 },
    openHat: { plays: "drum", drum: "openHat", stem: "drums", level: -9, reverb: 0.08 },
    crash: { plays: "drum", drum: "crash", stem: "drums", level: -10, reverb: 0.3 },
    bass: { plays: "bass", patch: ROUND_BASS, lowestPitch: 33, stem: "bass", level: -9, duck: 0.7 },
    pad: { plays: "chords", patch: WARM_PAD, lowestPitch: 57, stem: "synths", level: -18, reverb: 0.5, duck: 0.55 },
    stab: { plays: "chords", patch: STAB, lowestPitch: 60, stem: "synths", level: -14, reverb: 0.3, echo: 0.3, duck: 0.4 },
    arp: { plays: "arpeggio", patch: PLUCK, lowestPitch: 69, stem: "synths", level: -15, pan: -0.2, reverb: 0.35, echo: 0.45, duck: 0.3 },
    lead: { plays: "melody", patch: LEAD, stem: "lead", level: -13, pan: 0.08, reverb: 0.35, echo: 0.35, duck: 0.25 },
  },
  sections: [
    {
      name: "intro",
      bars: 4,
      chords: CHORDS,
      fade: [-8, -2],
      patterns: { pad: ["x_______________"], arp: ARP, hat: ["................", "................", "x.o.x.o.x.o.x.oo"] },
    },
    { name: "groove", bars: 4, chords: CHORDS, fade: [-2.5, -1.5], patterns: { kick: FOUR_ON_THE_FLOOR, hat: HATS, pad: ["x_______________"], arp: ARP } },
    {
      name: "verse",
      bars: 4,
      chords: CHORDS,
      patterns: {
        kick: ["X...X...X...X...", "X...X...X...X...", "X...X...X...X...", "X...X...X......."],
        clap: CLAP,
        hat: HATS,
        bass: OFFBEAT_BASS,
        pad: ["x_______________"],
        lead: ["-/8 E5/4 D5/4", "C5/6 -/10", "-/8 E5/4 G5/4", "D5/6 -/10"],
      },
    },
    {
      name: "drop",
      bars: 8,
      chords: DROP_CHORDS,
      patterns: {
        crash: ["X...............", ...Array<string>(7).fill("................")],
        kick: FOUR_ON_THE_FLOOR,
        clap: CLAP,
        hat: HATS,
        openHat: OPEN_HAT,
        bass: ROLLING_BASS,
        stab: ["x_.x_..x_..x_.x_"],
        arp: ARP,
        lead: HOOK,
      },
    },
    {
      name: "break",
      bars: 4,
      chords: CHORDS,
      fade: [-6, -1],
      patterns: {
        pad: ["x_______________"],
        arp: ARP,
        lead: ["E5/12 D5/4", "C5/16", "E5/8 G5/8", "D5/16"],
        clap: ["................", "................", "................", "........x.x.xxxx"],
      },
    },
    {
      name: "last drop",
      bars: 4,
      chords: DROP_CHORDS,
      patterns: {
        crash: ["X...............", ...Array<string>(3).fill("................")],
        kick: FOUR_ON_THE_FLOOR,
        clap: CLAP,
        hat: HATS,
        openHat: OPEN_HAT,
        bass: ROLLING_BASS,
        stab: ["x_.x_..x_..x_.x_"],
        arp: ARP,
        pad: ["x_______________"],
        lead: HOOK,
      },
    },
    {
      name: "outro",
      bars: 4,
      chords: ["Am", "F", "Am", "Am"],
      fade: [0, -14],
      patterns: {
        kick: ["X...X...X...X...", "X...X...X...X...", "X...............", "................"],
        hat: [...HATS, ...HATS, "................", "................"],
        pad: ["x_______________"],
        arp: ARP,
        bass: [...OFFBEAT_BASS, "1_______________", "................"],
      },
    },
  ],
};
