/** Generates the story's PDF with session notes and lyrics. Tempo, key and form come from the songs themselves. */
import { createPdf, type TextLine } from "./pdf.ts";
import { sectionStart, type Song } from "./synth/song.ts";
import { HALOGEN } from "./synth/songs/halogen.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { PAPER_MOON } from "./synth/songs/paper-moon.ts";

const formatTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const formatSections = (song: Song): string => song.sections.map(({ name }) => `${name} ${formatTime(sectionStart(song, name))}`).join(", ");

const songLines = (song: Song, remark: string): TextLine[] => [
  { text: song.title, size: 15, bold: true },
  { text: `${song.bpm} bpm, ${song.key}` },
  { text: formatSections(song), size: 9 },
  { text: remark },
  { text: "" },
];

export function sessionNotes(): Buffer {
  return createPdf("Nightdrive EP – session notes", [
    [
      { text: "Nightdrive EP", size: 26, bold: true },
      { text: "Session notes, Northlight Audio", size: 12 },
      { text: "" },
      ...songLines(NIGHTDRIVE, "Hats swing by 12 %. The drop is where the bass comes in with both feet."),
      ...songLines(HALOGEN, "Two kicks and an opinion. The bridge lets go of the bass."),
      ...songLines(PAPER_MOON, "Keys and flute until somebody finds us a string player."),
      { text: "House rules", size: 15, bold: true },
      { text: "• Mixes into Mixes, stems into Stems, feelings into the chat." },
      { text: "• No limiter on the mix bus. Sara sees everything." },
      { text: "• A file is called what it is. Nothing is called “final”." },
    ],
    [
      { text: "Nightdrive", size: 20, bold: true },
      { text: "Words, for the day we find a voice", size: 11 },
      { text: "" },
      { text: "streetlights counting what we owe" },
      { text: "nobody asks where the night trains go" },
      { text: "you drive, I hold the map of the sound" },
      { text: "both of us lost, and the long way round" },
      { text: "" },
      { text: "Second line may still change. (Leo: it may not.)", size: 9 },
    ],
  ]);
}
