/** Divides the text of a format without fixed pages into parts: at page breaks, and at headings and paragraphs of long text. */
import { createPages, type DocumentText } from "./document-text.ts";

/** A part ends with the paragraph that reaches this length, and a heading begins a new one after a third of it. */
const PART_CHARACTERS = 3_000;
const BEFORE_HEADING = 1_000;
/** A longer paragraph is cut, at a space if there is one. */
const MAX_PARAGRAPH = 2 * PART_CHARACTERS;

export type Parts = ReturnType<typeof createParts>;

export function createParts() {
  const pages = createPages("part");
  let paragraphs: string[] = [];
  let length = 0;

  function end(): void {
    if (paragraphs.some((text) => text.trim() !== "")) pages.add(paragraphs.join("\n"));
    paragraphs = [];
    length = 0;
  }

  function add(text: string): void {
    paragraphs.push(text);
    length += text.length + 1;
    if (length >= PART_CHARACTERS) end();
  }

  return {
    isFull: pages.isFull,
    paragraph(text: string, isHeading = false): void {
      if (isHeading && length >= BEFORE_HEADING) end();
      for (const piece of text.length <= MAX_PARAGRAPH ? [text] : splitLong(text)) add(piece);
    },
    pageBreak: end,
    finish(): DocumentText {
      end();
      return pages.finish();
    },
  };
}

function* splitLong(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const limit = start + PART_CHARACTERS;
    const space = limit >= text.length ? -1 : text.lastIndexOf(" ", limit);
    const end = space > start ? space + 1 : limit;
    yield text.slice(start, end);
    start = end;
  }
}
