/** Three weeks in the life of a small studio, as data: what the sample project is made of. */

export interface Person {
  key: string;
  username: string;
  email: string;
  role: "owner" | "admin" | "member" | "guest";
  about: string;
}

export const PEOPLE: Person[] = [
  { key: "ana", username: "Ana Kovač", email: "ana@northlight.example", role: "owner", about: "Producer. Runs the room at Northlight." },
  { key: "ben", username: "Ben Okafor", email: "ben@northlight.example", role: "admin", about: "Mixing engineer. Low end, mostly." },
  { key: "mia", username: "Mia Lindqvist", email: "mia@northlight.example", role: "member", about: "Vocals, synths, words." },
  { key: "leo", username: "Leo Tan", email: "leo@northlight.example", role: "member", about: "Drums and drum programming." },
  { key: "sara", username: "Sara Haddad", email: "sara@northlight.example", role: "member", about: "Mastering." },
  { key: "jonas", username: "Jonas Weber", email: "jonas@paperlane.example", role: "guest", about: "A&R at Paper Lane. Listens twice a week." },
];

export interface Line {
  /** Days before today. */
  day: number;
  /** Local time of day. */
  at: string;
  by: string;
  text: string;
  /** Names this line so that another can answer it. */
  key?: string;
  answers?: string;
}

export interface DemoProject {
  name: string;
  group: string | null;
  description: string;
  people: string[];
  lines: Line[];
  /** How many of the newest messages the owner has not read yet. */
  unread: number;
}

const line = (day: number, at: string, by: string, text: string, more: Pick<Line, "key" | "answers"> = {}): Line => ({ day, at, by, text, ...more });

const NIGHTDRIVE: Line[] = [
  line(
    20,
    "10:02",
    "ana",
    "Welcome to Nightdrive. Four songs, release on 12 March, label listens every other Friday. Everything about the EP goes in here, please, not into mail.",
  ),
  line(20, "10:05", "ben", "In. Session template is on the shared drive: 48 kHz / 24 bit, 32 bit float for prints."),
  line(20, "10:11", "mia", "Here too. I have two lyrics that are nearly true."),
  line(20, "10:12", "leo", "Drums for Nightdrive and Halogen are tracked, edits by Thursday."),
  line(20, "10:40", "jonas", "Hello from Paper Lane. I only listen, I promise."),
  line(20, "10:41", "ana", "That is what they all say.", {}),
  line(19, "14:20", "leo", "Rough of the Nightdrive groove is up. 128 straight felt stiff, so the hats swing at 54 %.", { key: "groove" }),
  line(19, "14:31", "ben", "54 is right. At 56 it turns into house.", { answers: "groove" }),
  line(19, "15:02", "mia", "I can finally sing across it. Keep."),
  line(18, "09:15", "ana", "Tempo is decided then: 128, A minor. Writing it on the wall."),
  line(18, "16:48", "mia", "Verse words:\n\nstreetlights counting what we owe\nnobody asks where the night trains go\n\nSecond line may still change."),
  line(18, "16:55", "leo", "Do not touch the second line."),
  line(17, "11:30", "ben", "Bass is re-amped through the old Ampeg. There is a hum at 50 Hz between the notes, I gate it below −48 dB."),
  line(17, "11:34", "ana", "Can we hear it without the gate once? The hum may be the charm."),
  line(17, "12:10", "ben", "Printed both. You were right about the intro and wrong about the chorus."),
  line(17, "12:12", "ana", "I will take that."),
  line(16, "18:05", "sara", "Before anyone prints: leave me 6 dB of headroom and no limiter on the mix bus. A limited reference beside it is fine."),
  line(16, "18:09", "ben", "Noted. References at −14 LUFS, mixes untouched."),
  line(15, "10:20", "mia", "Vocal session today 13:00. Leo, please keep the corridor free of drum cases this time."),
  line(15, "19:42", "mia", "Eleven takes. Three and seven are the ones. Seven has the breath before the second chorus that I would keep."),
  line(15, "19:50", "ana", "Comped from 3 and 7, breath stays."),
  line(14, "09:30", "jonas", "Listened to the rough on the train. The drop at 1:45 is the single, isn't it?", { key: "single" }),
  line(14, "09:41", "ana", "It might be. Let us finish the other three before we marry it.", { answers: "single" }),
  line(14, "17:22", "leo", "Fill into the last chorus is new. Less tom, more room."),
  line(
    13,
    "12:00",
    "ben",
    "Mix v1 is printed. Known problems: reverb on the snare too long, pads fight the vocal around 2 kHz, and I have listened to it for nine hours.",
  ),
  line(13, "12:26", "mia", "The pads do fight. Can they open up only when I stop singing?", { key: "pads" }),
  line(13, "12:40", "ben", "Sidechained from the vocal, 3 dB, slow release. In v2.", { answers: "pads" }),
  line(12, "10:10", "sara", "v1 on my speakers: low end is generous below 45 Hz. You will not hear it on the small ones, but the limiter will."),
  line(12, "10:18", "ben", "High-pass at 28, shelf −1.5 at 45. Thanks for the ears."),
  line(11, "15:33", "leo", "Halogen drums: I replaced the second kick sample. It was from 2014 and you could tell."),
  line(
    10,
    "09:05",
    "ana",
    "Label day on Friday. What is ready: Nightdrive v2, Halogen rough, Paper Moon demo. Not ready: Four in the Morning, which still has no bridge and possibly no reason.",
  ),
  line(10, "09:12", "mia", "Four in the Morning has a reason. It is just early."),
  line(10, "09:13", "leo", "Four in the morning, even."),
  line(9, "20:18", "ben", "v2 is up. −14.1 LUFS reference, true peak −1.0. Sleep now."),
  line(8, "11:02", "jonas", "v2: the vocal finally sits in front. One wish from the label side: can the intro be eight bars shorter for the radio edit?", {
    key: "radio",
  }),
  line(8, "11:20", "ana", "As an edit, yes. The album version keeps its long night.", { answers: "radio" }),
  line(8, "11:24", "mia", "Thank you."),
  line(
    7,
    "16:40",
    "leo",
    "Room mics on Nightdrive are out of phase with the overheads from 2:10 on. My fault, I moved the stand. Nudged by 1.3 ms, fixed in the session.",
  ),
  line(7, "16:58", "ben", "That explains the hollow snare. I had already blamed the converter."),
  line(6, "13:15", "sara", "For the masters: is it WAV 48/24 for the label and 44.1/16 for the CD, or did the CD die again?"),
  line(6, "13:22", "jonas", "The CD lives. 300 copies, for the shop in Bergen."),
  line(
    6,
    "13:30",
    "ben",
    "Both fair. I will bounce tomorrow before lunch and print stems at `48 kHz / 24 bit` for the label.\n\nDelivery spec is here: https://northlight.example/spec/2026-11.pdf",
  ),
  line(5, "18:40", "leo", "Listened to v3 on the train. It is close. Two notes: snare against the “s” at 1:28, and the outro."),
  line(5, "18:52", "ben", "The “s” gets a de-esser. What about the outro?"),
  line(5, "18:55", "leo", "It ends like a door. It should end like a street."),
  line(5, "19:10", "ana", "I know exactly what he means and have no idea how to mix it."),
  line(4, "13:48", "mia", "Vocal comp for the outro is in the folder. I kept the breath before the second chorus, tell me if you hate it."),
  line(4, "14:02", "ana", "Bass is hot at 1:23, everything else sits. Ben, can you look before the label listens at five?", { key: "bass" }),
  line(4, "14:05", "ben", "Fixed: −2 dB around 60 Hz, sidechain a touch slower. New bounce is v4.", { answers: "bass" }),
  line(4, "14:31", "leo", "The low end is right now. Drums could be half a dB up in the outro, from 3:05."),
  line(4, "16:50", "ana", "Label at five. Nobody say “almost”."),
  line(4, "18:20", "jonas", "v4 in the office: silence, then somebody asked to hear it again. Changes from us: none. I have waited two years to write that."),
  line(4, "18:21", "mia", "!!!"),
  line(4, "18:24", "ben", "I am framing this message."),
  line(3, "09:40", "sara", "Then I start mastering on Monday. Please print v4 without the bus compressor as well, for safety."),
  line(3, "10:02", "ben", "Both printed, same start, same length: 3:42.118."),
  line(2, "11:15", "leo", "Halogen: new bridge, eight bars, half time. Tell me if the cymbal is too proud."),
  line(2, "11:48", "mia", "The cymbal is proud and it has every right."),
  line(
    1,
    "17:30",
    "ana",
    "Plan for the week: Sara masters Nightdrive, Ben and Leo on Halogen, Mia and I write the bridge of Four in the Morning on Wednesday with the door closed.",
  ),
  line(1, "17:36", "ben", "Door closed as in deadline or as in do not disturb?", { key: "door" }),
  line(1, "17:37", "ana", "Yes.", { answers: "door" }),
  line(0, "08:52", "sara", "First master is running. The quiet verse wants 0.5 dB more than I expected, otherwise it falls behind the chorus."),
  line(0, "08:58", "mia", "It should fall behind a little. It is a verse about being behind."),
  line(0, "09:04", "sara", "0.3 then. Meeting in the middle at 0.3 dB is the most us thing we have done."),
];

export const PROJECTS: DemoProject[] = [
  {
    name: "Nightdrive EP",
    group: "Albums",
    description: "Four songs, release on 12 March",
    people: ["ana", "ben", "mia", "leo", "sara", "jonas"],
    unread: 3,
    lines: NIGHTDRIVE,
  },
  {
    name: "Halden Sessions",
    group: "Albums",
    description: "Live in the old harbour hall",
    people: ["ana", "ben", "leo"],
    unread: 5,
    lines: [
      line(6, "10:00", "ben", "The hall has a 4.2 s tail at 200 Hz. We are not adding reverb to this record."),
      line(6, "10:14", "leo", "I counted in and heard myself count in."),
      line(1, "12:31", "ben", "Transfers are done, 14 songs, two nights."),
      line(1, "12:40", "leo", "Night two has the better drums, night one the better audience."),
      line(0, "07:55", "ben", "Rough balance of all 14 by Friday."),
    ],
  },
  {
    name: "Paper Boats LP",
    group: "Albums",
    description: "",
    people: ["ana", "mia"],
    unread: 0,
    lines: [line(9, "15:10", "mia", "Demos 1 to 6 are sorted. Seven refuses."), line(9, "15:22", "ana", "Seven may rest until January.")],
  },
  {
    name: "Aurora, reel 3",
    group: "Film & trailers",
    description: "Picture lock on the 28th",
    people: ["ana", "ben", "sara"],
    unread: 1,
    lines: [
      line(3, "16:05", "ana", "New picture: 14 frames shorter after the bridge scene."),
      line(0, "08:30", "ben", "Conformed. Music cue 3m4 now ends on the cut at 07:12."),
    ],
  },
  {
    name: "Museum audio guide",
    group: "Film & trailers",
    description: "36 rooms, three languages",
    people: ["ana", "sara", "mia"],
    unread: 0,
    lines: [line(11, "11:11", "sara", "Room 12 in Norwegian is 4 dB louder than in English. Normalised all of them to −18 LUFS.")],
  },
  {
    name: "Podcast masters",
    group: null,
    description: "Every second Thursday",
    people: ["ana", "sara"],
    unread: 0,
    lines: [line(8, "09:00", "sara", "Episode 41 is delivered.")],
  },
];
