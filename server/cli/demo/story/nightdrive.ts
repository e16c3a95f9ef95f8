/** Story of an EP over three weeks, from the first groove to the last question. Every timestamp in it matches the song. */
import { barSeconds, sectionStart, type Song } from "../synth/song.ts";
import { HALOGEN } from "../synth/songs/halogen.ts";
import { NIGHTDRIVE } from "../synth/songs/nightdrive.ts";
import { PAPER_MOON } from "../synth/songs/paper-moon.ts";
import { upload, closeTask, comment, edit, reply, resolve, post, setStatus, task, type TimedStep } from "./story.ts";

/** Returns the start of a section such as `0:22`, rounded down to a whole second. */
export function sectionTimestamp(song: Song, section: string): string {
  const seconds = Math.floor(sectionStart(song, section));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
const DROP = sectionTimestamp(NIGHTDRIVE, "drop");
const BREAK = sectionTimestamp(NIGHTDRIVE, "break");
const DROP_SECONDS = sectionStart(NIGHTDRIVE, "drop");

export const NIGHTDRIVE_STEPS: TimedStep[] = [
  post(
    20,
    "10:02",
    "ana",
    "Welcome to **Nightdrive**. Three songs, release on 12 March, the label listens every other Friday. Everything about the EP goes in here, please, not into mail.",
  ),
  post(
    20,
    "10:05",
    "ben",
    "In. Session template is 44.1 kHz, mixes go into *Mixes*, prints into *Stems*. If you call a file `final` I will know where you live.",
  ),
  post(20, "10:11", "mia", "Here too. I have three melodies that are nearly true."),
  post(20, "10:12", "leo", "Drums for Nightdrive and Halogen are programmed. Kick is new, the old one was from 2014 and you could tell."),
  post(20, "10:40", "jonas", "Hello from Paper Lane. I only listen, I promise.", { key: "promise", reactions: "ana 👀, ben 👀" }),
  post(20, "10:41", "ana", "That is what they all say.", { replyTo: "promise" }),
  post(19, "14:20", "leo", "128 straight felt stiff, so the hats in Nightdrive swing by 12 %.", { key: "swing" }),
  post(19, "14:31", "ben", "12 is right. At 20 it turns into house.", { replyTo: "swing", reactions: "leo 😄" }),
  post(18, "09:15", "ana", "Decided then: **128 bpm, A minor**. Writing it on the wall."),
  upload(17, "09:30", "ana")("notes"),
  post(17, "09:32", "ana", "Session notes with tempo, keys, the form of each song and Mia's words. Print it or don't, but please have read it.", {
    files: ["notes"],
    reactions: "mia 🙏",
  }),
  upload(16, "18:50", "leo")("halogen"),
  post(
    16,
    "18:55",
    "leo",
    `Halogen, rough. 174, F minor. The bridge at ${sectionTimestamp(HALOGEN, "bridge")} lets go of the bass on purpose. Tell me if the ride is too proud.`,
    { key: "halogen", files: ["halogen"], reactions: "mia 🔥, jonas 🔥" },
  ),
  post(16, "19:20", "mia", "The ride is proud and it has every right.", { replyTo: "halogen" }),
  comment(16, "19:26", "ana")(
    "bridge",
    "halogen",
    "The bass may stay away four bars longer, then the second drop hits harder.",
    sectionStart(HALOGEN, "bridge"),
    sectionStart(HALOGEN, "second drop"),
  ),
  setStatus(16, "19:30", "ana")("halogen", "In progress", "Rough; Leo goes on with the bridge."),
  post(15, "11:30", "sara", "Before anyone prints: leave me some room, and no limiter on the mix bus. A loud reference beside it is fine."),
  post(15, "11:36", "ben", "Noted. Can I have that on a cushion?", { reactions: "sara 😄, mia 😄" }),
  upload(13, "21:48", "ben")("v1"),
  post(13, "21:50", "ben", "Nightdrive, first mix. Careful balance, no limiter. I have listened to it for nine hours and can no longer hear it.", {
    key: "v1",
    files: ["v1"],
  }),
  setStatus(13, "21:51", "ben")("v1", "In review", "First mix."),
  post(12, "09:12", "ana", "I can no longer hear it either, but because it is **so quiet**: under −20 LUFS. And Mia's line hides behind the pads.", {
    replyTo: "v1",
    reactions: "mia 💯",
  }),
  setStatus(12, "09:14", "ana")("v1", "Changes requested", "Far too quiet, and the melody is behind the pads."),
  task(12, "09:15", "ana")("louder", "v1", "Nightdrive: louder, and the melody in front", "ben", 3),
  post(12, "09:20", "ben", "Both fair. Careful was the wrong word for it."),
  upload(11, "16:02", "mia")("cover"),
  post(11, "16:05", "mia", "Cover, first idea: a road made of the song, and one lamp.", {
    key: "cover",
    files: ["cover"],
    reactions: "ana 😍, leo 😍, jonas 😍",
  }),
  post(11, "16:31", "jonas", "The office wants this on a wall. Not a figure of speech, they asked for the size.", { replyTo: "cover" }),
  comment(11, "16:48", "leo")("lamp", "cover", "The lamp is exactly where the snare is. I checked."),
  setStatus(11, "17:00", "ana")("cover", "Approved", "This is it."),
  upload(9, "20:10", "mia")("moon"),
  upload(9, "20:14", "mia")("moonCover"),
  post(
    9,
    "20:18",
    "mia",
    `Paper Moon as a demo: 92, E flat major. From ${sectionTimestamp(PAPER_MOON, "chorus")} it opens up. And a sketch for the single's cover.`,
    {
      key: "moon",
      files: ["moon", "moonCover"],
      reactions: "ana ❤️, sara ❤️",
    },
  ),
  post(9, "20:40", "sara", "I listened twice, which for me is a love letter.", { replyTo: "moon" }),
  setStatus(9, "20:45", "ana")("moon", "In progress", "Waiting for real strings."),
  upload(6, "18:20", "ben")("v2"),
  post(6, "18:22", "ben", "Nightdrive v2: melody in front, and nobody will call it quiet.", { key: "v2", files: ["v2"] }),
  closeTask(6, "18:23", "ben")("louder"),
  setStatus(6, "18:24", "ben")("v2", "In review", "Louder, melody in front."),
  post(6, "18:51", "leo", `It is not quiet. The neighbors say hello. **Bass is hot from ${DROP}**, it pushes everything else into the wall until ${BREAK}.`, {
    key: "hot",
    replyTo: "v2",
    reactions: "sara 💯, mia 😄",
  }),
  post(6, "19:02", "sara", "Leo is right: a good 6 dB too much from the drop on, and the peaks lie flat on the ceiling. The limiter is crying.", {
    replyTo: "hot",
  }),
  comment(6, "18:56", "leo")(
    "tooHot",
    "v2",
    "Bass is hot from here to the break, everything else is pressed against the wall.",
    DROP_SECONDS,
    sectionStart(NIGHTDRIVE, "break"),
  ),
  comment(6, "19:03", "sara")("crying", "v2", "The limiter never lets go here. The peaks lie flat on the ceiling.", DROP_SECONDS + 2 * barSeconds(NIGHTDRIVE)),
  setStatus(6, "19:05", "ana")("v2", "Changes requested", `Bass is hot from ${DROP}.`),
  task(6, "19:06", "ana")("bass", "v2", `Bass down from ${DROP}, −14 LUFS`, "ben", 2),
  post(5, "08:40", "mia", "Idea for the outro, hummed on the tram, please ignore the tram."),
  upload(5, "08:42", "mia")("hum"),
  post(5, "08:43", "mia", "", { key: "hum", files: ["hum"], voice: true, reactions: "ana 🎧, leo 👏, ben 👏" }),
  post(5, "08:58", "leo", "It ended like a door. Now it ends like a street.", { replyTo: "hum" }),
  upload(3, "13:55", "ben")("v3"),
  post(3, "14:02", "ben", `Fixed: bass back where it belongs from ${DROP}, −14 LUFS, peaks at −1. @ana can you look before the label listens at five?`, {
    key: "v3",
    replyTo: "hot",
    files: ["v3"],
    reactions: "leo 🎉, sara 🎉, mia 🎉",
  }),
  edit(
    3,
    "14:04",
    "ben",
  )("v3", `Fixed: bass back where it belongs from ${DROP}, −14 LUFS, peaks at −1. This is v3. @ana can you look before the label listens at five?`),
  setStatus(3, "14:06", "ben")("v3", "In review", "Bass fixed."),
  reply(3, "14:06", "ben")("tooHot", "6 dB down from the drop on, and the sidechain is back. Listen to v3."),
  reply(3, "14:12", "leo")("tooHot", "My neighbors say thank you."),
  resolve(3, "14:13", "leo")("tooHot"),
  resolve(3, "14:20", "sara")("crying"),
  closeTask(3, "14:07", "ben")("bass"),
  post(3, "14:31", "ana", `Listened three times. The drop at ${DROP} lands and everything else stays standing.`, { replyTo: "v3" }),
  setStatus(3, "14:33", "ana")("v3", "Approved", "Do not touch it any more. I mean you, Ben."),
  comment(3, "17:32", "jonas")("ending", "v3", "This is where somebody in the office stopped typing.", sectionStart(NIGHTDRIVE, "last drop")),
  post(3, "17:40", "jonas", "v3 in the office: silence, then somebody asked to hear it again. Changes from us: none. I have waited two years to write that.", {
    key: "none",
    reactions: "ana 🎉, ben 🎉, mia 🎉, leo 🎉, sara 🎉",
  }),
  post(3, "17:44", "ben", "I am framing this message.", { replyTo: "none" }),
  upload(2, "10:30", "ben")("instrumental"),
  ...(["drums", "bass", "synths", "lead"] as const).map((stem, n) => upload(2, `10:3${n + 1}`, "ben")(stem)),
  post(2, "10:38", "ben", "Instrumental and stems are printed: same start, same length, they add up.", {
    key: "stems",
    files: ["instrumental", "drums", "bass", "synths", "lead"],
    reactions: "sara 🙏",
  }),
  task(2, "10:45", "jonas")("isrc", "v3", "Write ISRC and credits into the file", "ana", 5),
  task(1, "17:20", "ana")("master", "v3", "Master Nightdrive", "sara", 1),
  post(
    1,
    "17:30",
    "ana",
    `Plan for the week: Sara masters Nightdrive, Leo and Ben finish the bridge of Halogen, Mia and I look for a string player who likes ${sectionTimestamp(PAPER_MOON, "chorus")}.`,
  ),
  post(1, "17:36", "ben", "I am looking for sleep.", { reactions: "ana 😄" }),
  comment(0, "08:49", "sara")("air", "v3", "From here the master wants a little more air above the hats.", sectionStart(NIGHTDRIVE, "verse")),
  post(0, "08:52", "sara", "First master is running. It wants 0.5 dB more air above the hats than I expected."),
  post(0, "08:58", "leo", "Everybody wants more hats. I have always said so.", { reactions: "mia 😄" }),
];

/** Final steps, addressed to the owner who explores the demo. */
export const CLOSING_STEPS: TimedStep[] = [
  task(0, "09:10", "ana")("listen", "halogen", "Listen to the bridge of Halogen and say what you think", "owner", 3),
  post(
    0,
    "09:12",
    "ben",
    `@owner you come at the right moment, I no longer trust my ears. Play v3 down here from ${DROP}, where the bass was too hot, then v2 for the difference: does it sit now?`,
    { key: "ask", replyTo: "v3", files: ["v3"] },
  ),
  post(0, "09:14", "mia", "Press the microphone and just say it. I hummed on a tram, so nothing you record can be worse.", {
    replyTo: "ask",
    reactions: "leo 😄",
  }),
];
