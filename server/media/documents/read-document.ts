/** Reads the text of a document of any supported format, which the content says and not the name. */
import { closeSync, openSync, readSync } from "node:fs";
import { damaged, DOCUMENT_LIMITS, type DocumentText, encrypted, type PageUnit, tooLarge, UnreadableDocument } from "./document-text.ts";
import { DOCX_BODY, readDocx } from "./docx.ts";
import { readOdt } from "./odt.ts";
import { readPdf } from "./pdf.ts";
import { readPlainText } from "./plain-text.ts";
import { readRtf } from "./rtf.ts";
import { openZip } from "./zip.ts";

interface Content {
  path: string;
  /** Type by the first bytes: `pdf`, `zip`, `rtf`, `text`, `office`, … */
  type: string;
  bytes: number;
  head: Buffer;
}

/** The name of the stream that holds a document of Word with a password, in a compound file. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");
const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.text(-template)?$/;

/** Returns null for a format without text that is read. Never throws for what is in the file. */
export async function readDocument(content: Content, onProgress: (share: number) => void): Promise<DocumentText | null> {
  try {
    return await readByType(content, onProgress);
  } catch (error) {
    const { state, message } = error instanceof UnreadableDocument ? error : damaged();
    return { state, reason: message, unit: unitOf(content.type), pageCount: 0, isCut: false, pages: [] };
  }
}

const unitOf = (type: string): PageUnit => (type === "pdf" ? "page" : "part");

async function readByType({ path, type, bytes, head }: Content, onProgress: (share: number) => void): Promise<DocumentText | null> {
  if (type === "pdf") return await readPdf(path, bytes, onProgress);
  if (type === "zip") return await readZip(path);
  if (type === "rtf") return readRtf(readWhole(path, bytes).toString("latin1"));
  if (type === "text") return readPlainText(readWhole(path, bytes));
  if (type === "office" && head.includes(ENCRYPTED_PACKAGE)) throw encrypted();
  return null;
}

async function readZip(path: string): Promise<DocumentText | null> {
  const zip = await openZip(path);
  try {
    if (zip.names.has(DOCX_BODY)) return await readDocx(zip);
    let mimetype = "";
    if (zip.names.has("mimetype")) for await (const chunk of zip.read("mimetype")) mimetype = (mimetype + chunk.toString("latin1")).slice(0, 200);
    return OPEN_DOCUMENT.test(mimetype.trim()) ? await readOdt(zip) : null;
  } finally {
    zip.close();
  }
}

function readWhole(path: string, size: number): Buffer {
  if (size > DOCUMENT_LIMITS.textBytes) throw tooLarge();
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(size);
    return buffer.subarray(0, readSync(file, buffer, 0, size, 0));
  } finally {
    closeSync(file);
  }
}
