/** The text of a document, and the limits within which it is read. */

/** `page`: a page as the document shows it. `part`: a section of a format without fixed pages. */
export type PageUnit = "page" | "part";

export interface DocumentText {
  state: "indexed" | "empty" | "encrypted" | "failed";
  /** Why a document was not read, for people; "" otherwise. */
  reason: string;
  unit: PageUnit;
  pageCount: number;
  /** True if a limit left out the end of the document. */
  isCut: boolean;
  /** In order; empty unless the state is `indexed`. */
  pages: { number: number; text: string }[];
}

export const DOCUMENT_LIMITS = {
  /** A PDF is read into memory. */
  fileBytes: 200_000_000,
  /** Plain text and RTF are read whole, up to here. */
  textBytes: 32_000_000,
  pages: 5_000,
  pageCharacters: 100_000,
  characters: 4_000_000,
  milliseconds: 120_000,
  zipEntries: 20_000,
  /** Of one XML part, unpacked. */
  partBytes: 128_000_000,
  /** Office programs write XML that is at most about 100 times as large as its compressed form. */
  compressionRatio: 400,
  xmlDepth: 500,
} as const;

/** Ends the reading of a document with a state and a sentence for people. */
export class UnreadableDocument extends Error {
  readonly state: "encrypted" | "failed";

  constructor(state: "encrypted" | "failed", reason: string) {
    super(reason);
    this.state = state;
  }
}

export const damaged = (): UnreadableDocument => new UnreadableDocument("failed", "The document is damaged, so its text could not be read.");
export const encrypted = (): UnreadableDocument =>
  new UnreadableDocument("encrypted", "The document is protected with a password, so its text could not be read.");
export const tooLarge = (): UnreadableDocument => new UnreadableDocument("failed", "The document is too large, so its text was not read.");
export const tooDense = (): UnreadableDocument =>
  new UnreadableDocument("failed", "The document unpacks to far more than its size suggests, so its text was not read.");

/** Returns text that every database stores: well-formed, without control characters, with single line feeds as line ends. */
export function cleanText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      // eslint-disable-next-line no-control-regex -- these are what is removed
      .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, "")
      .replace(/[^\S\n]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

/** Collects pages until a limit is reached. */
export function createPages(unit: PageUnit) {
  const pages: DocumentText["pages"] = [];
  const startedAt = performance.now();
  let characters = 0;
  let isCut = false;
  return {
    /** True once nothing more is taken. */
    isFull(): boolean {
      isCut ||= performance.now() - startedAt > DOCUMENT_LIMITS.milliseconds;
      return isCut;
    },
    add(text: string): void {
      if (pages.length >= DOCUMENT_LIMITS.pages || characters >= DOCUMENT_LIMITS.characters) isCut = true;
      if (isCut) return;
      const cleaned = cleanText(text);
      const rest = Math.min(DOCUMENT_LIMITS.pageCharacters, DOCUMENT_LIMITS.characters - characters);
      const cut = cleaned.slice(0, rest).toWellFormed();
      if (cut.length < cleaned.length) isCut = true;
      characters += cut.length;
      pages.push({ number: pages.length + 1, text: cut });
    },
    /** `pageCount`: of the whole document, where it is known. */
    finish(pageCount = pages.length): DocumentText {
      const isEmpty = !pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
      const state = isEmpty ? "empty" : "indexed";
      return { state, reason: "", unit, pageCount, isCut: !isEmpty && (isCut || pages.length < pageCount), pages: isEmpty ? [] : pages };
    },
  };
}
