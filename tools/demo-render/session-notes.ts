/** Generates the story's PDF with session notes and lyrics. Tempo, key and form come from the songs themselves. */
import { sectionStart, type Song } from "./synth/song.ts";
import { HALOGEN } from "./synth/songs/halogen.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { PAPER_MOON } from "./synth/songs/paper-moon.ts";

interface TextLine {
  text: string;
  /** Font size in points. */
  size?: number;
  bold?: boolean;
}

/** Page size and margin in points: A4. */
const [WIDTH, HEIGHT, MARGIN] = [595, 842, 64];

/** WinAnsi codes of the built-in fonts for the characters outside Latin-1 that the texts use. */
const WIN_ANSI_CODES: Record<string, number> = { "–": 0x96, "—": 0x97, "‘": 0x91, "’": 0x92, "“": 0x93, "”": 0x94, "•": 0x95, "…": 0x85, "€": 0x80 };

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

const songLines = (song: Song, remark: string): TextLine[] => [
  { text: song.title, size: 15, bold: true },
  { text: `${song.bpm} bpm, ${song.key}` },
  { text: formatSections(song), size: 9 },
  { text: remark },
  { text: "" },
];

const formatSections = (song: Song): string => song.sections.map(({ name }) => `${name} ${formatTime(sectionStart(song, name))}`).join(", ");
const formatTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Writes a minimal PDF in two of the standard fonts, with one page per list of lines. */
function createPdf(title: string, pages: readonly (readonly TextLine[])[]): Buffer {
  const contents = pages.map(renderPage);
  const firstPageObject = 6;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${firstPageObject + 2 * n} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    `<< /Title (${literal(title)}) /Producer (Talkback) >>`,
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${firstPageObject + 2 * n + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}endstream`,
    ]),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, n) => {
    const at = file.length;
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const index = file.length;
  const entries = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${index}\n%%EOF\n`;
  return Buffer.from(file, "latin1");
}

function renderPage(lines: readonly TextLine[]): string {
  let y = HEIGHT - MARGIN;
  const operators = lines.map(({ text, size = 11, bold = false }) => {
    y -= size * 1.55;
    return text === "" ? "" : `BT /F${bold ? 2 : 1} ${size} Tf ${MARGIN} ${y.toFixed(1)} Td (${literal(text)}) Tj ET\n`;
  });
  return operators.join("");
}

/** Escapes a PDF string, writing every byte outside printable ASCII, parentheses and backslashes in octal. */
function literal(text: string): string {
  return [...text]
    .map((character) => {
      const code = WIN_ANSI_CODES[character] ?? character.codePointAt(0) ?? 0x3f;
      const byte = code > 0xff ? 0x3f : code;
      return byte < 0x20 || byte > 0x7e || "()\\".includes(character) ? `\\${byte.toString(8).padStart(3, "0")}` : character;
    })
    .join("");
}
