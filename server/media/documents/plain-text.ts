/** Reads plain text and Markdown: UTF-8, UTF-16 with a byte order mark, else Windows-1252, which includes Latin-1. */
import type { DocumentText } from "./document-text.ts";
import { createParts } from "./parts.ts";

/** A heading of Markdown, or a section name such as [Chorus] in a lyrics sheet. */
const HEADING = /^(#{1,6} |\[[^\]]{1,40}\]$)/;

export function readPlainText(bytes: Uint8Array): DocumentText {
  const parts = createParts();
  for (const page of decodeText(bytes).split("\f")) {
    for (const line of page.split(/\r\n?|\n/)) {
      parts.paragraph(line, HEADING.test(line));
      if (parts.isFull()) return parts.finish();
    }
    parts.pageBreak();
  }
  return parts.finish();
}

export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
