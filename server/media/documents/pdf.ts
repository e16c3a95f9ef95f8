/** Reads the text of a PDF page by page. Scripts in it do not run, and nothing is loaded but the file. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { createPages, damaged, DOCUMENT_LIMITS, type DocumentText, encrypted, tooLarge } from "./document-text.ts";

interface TextItem {
  str: string;
  hasEOL: boolean;
}

/** pdfTeX's fonts without a table of characters have ligatures at these codes, which mean nothing else in a PDF (encodings T1 and OT1). */
const LIGATURES = ["ff", "fi", "fl", "ffi", "ffl"];
// eslint-disable-next-line no-control-regex -- these are what is replaced
const LIGATURE_CODES = /[\u000B-\u000F\u001B-\u001F]/g;
const spellOutLigature = (code: string): string => LIGATURES[(code.charCodeAt(0) - 0x0b) % 0x10] ?? "";

/** Loads the library without the canvas that it looks for in Node, which only drawing needs. */
async function loadLibrary() {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "@napi-rs/canvas") throw new Error("Text is read without a canvas");
      return next(specifier, context);
    },
  });
  const placeholder = function Placeholder() {};
  Object.assign(globalThis, { DOMMatrix: placeholder, Path2D: placeholder });
  try {
    const library = await import("pdfjs-dist/legacy/build/pdf.mjs");
    // The library runs its worker in this process, which is one of its own already.
    Object.assign(globalThis, { pdfjsWorker: await import("pdfjs-dist/legacy/build/pdf.worker.mjs") });
    return library;
  } finally {
    hooks.deregister();
  }
}

export async function readPdf(path: string, bytes: number, onProgress: (share: number) => void): Promise<DocumentText> {
  if (bytes > DOCUMENT_LIMITS.fileBytes) throw tooLarge();
  const { getDocument, VerbosityLevel } = await loadLibrary();
  const task = getDocument({
    data: new Uint8Array(readFileSync(path)),
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  });
  const document = await task.promise.catch((error: unknown) => {
    throw (error as Error).name === "PasswordException" ? encrypted() : damaged();
  });
  const pages = createPages("page");
  for (let number = 1; number <= document.numPages && !pages.isFull(); number += 1) {
    // A damaged page does not hide the others.
    pages.add(await readPage(document, number).catch(() => ""));
    onProgress(number / document.numPages);
  }
  return pages.finish(document.numPages);
}

interface PdfDocument {
  getPage(number: number): Promise<{ streamTextContent(): ReadableStream; cleanup(): boolean }>;
}

async function readPage(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const reader = (page.streamTextContent() as ReadableStream<{ items: object[] }>).getReader();
  let text = "";
  for (let chunk = await reader.read(); !chunk.done && text.length < DOCUMENT_LIMITS.pageCharacters; chunk = await reader.read())
    for (const item of chunk.value.items) if ("str" in item) text = append(text, item as TextItem);
  await reader.cancel().catch(() => {});
  page.cleanup();
  return joinHyphenated(text);
}

function append(text: string, { str, hasEOL }: TextItem): string {
  const spelledOut = str.replace(LIGATURE_CODES, spellOutLigature);
  // The number of a footnote is no part of the word before it.
  const space = /^\d{1,3}$/.test(spelledOut) && /\p{L}$/u.test(text) ? " " : "";
  return `${text}${space}${spelledOut}${hasEOL ? "\n" : ""}`;
}

/** Replaces a hyphen at the end of a line by a soft hyphen, which says that the word may be written without it. */
const joinHyphenated = (text: string): string => text.replace(/(?<=\p{Ll})[-\u2010\u00AD]\n(?=\p{Ll})/gu, "\u00AD");
