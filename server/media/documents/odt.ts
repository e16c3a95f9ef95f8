/** Reads the text of an OpenDocument text. Comments and deleted text are left out; footnotes stand behind their paragraph. */
import { damaged, type DocumentText, encrypted } from "./document-text.ts";
import { createParts, type Parts } from "./parts.ts";
import { type Attributes, parseXml, skipWithin, type XmlHandler } from "./xml.ts";
import type { Zip } from "./zip.ts";

const CONTENT = "content.xml";
const MANIFEST = "META-INF/manifest.xml";
const SKIPPED = new Set(["office:annotation", "text:tracked-changes", "text:note-citation", "office:forms", "svg:desc", "svg:title"]);
const MAX_SPACES = 1_000;

export async function readOdt(zip: Zip): Promise<DocumentText> {
  if (!zip.names.has(CONTENT)) throw damaged();
  if (await isEncrypted(zip)) throw encrypted();
  const parts = createParts();
  await parseXml(zip.read(CONTENT), skipWithin(SKIPPED, createHandler(parts)));
  return parts.finish();
}

/** The manifest says how to decrypt each file. */
async function isEncrypted(zip: Zip): Promise<boolean> {
  if (!zip.names.has(MANIFEST)) return false;
  let found = false;
  await parseXml(zip.read(MANIFEST), {
    open(name) {
      found ||= /(^|:)encryption-data$/.test(name);
    },
    close() {},
    text() {},
  });
  return found;
}

function createHandler(parts: Parts): XmlHandler {
  /** Paragraphs that are open: a note has its own within another. */
  const open: { text: string; isHeading: boolean }[] = [];
  let notes: string[] = [];
  const rows: string[][] = [];
  let style = "";
  const breaksBefore = new Set<string>();

  function begin(attributes: Attributes, isHeading: boolean): void {
    if (breaksBefore.has(attributes["text:style-name"] ?? "")) parts.pageBreak();
    open.push({ text: "", isHeading });
  }
  function end(): void {
    const { text, isHeading } = open.pop()!;
    if (open.length > 0) notes.push(text);
    else if (rows.length > 0) rows.at(-1)!.push(text);
    else parts.paragraph(text, isHeading);
    if (open.length > 0) return;
    for (const note of notes) parts.paragraph(note);
    notes = [];
  }
  const append = (text: string): void => {
    const current = open.at(-1);
    if (current) current.text += text;
  };
  const OPEN: Record<string, (attributes: Attributes) => void> = {
    "style:style": (attributes) => (style = attributes["style:name"] ?? ""),
    "style:paragraph-properties": (attributes) => attributes["fo:break-before"] === "page" && breaksBefore.add(style),
    "text:p": (attributes) => begin(attributes, false),
    "text:h": (attributes) => begin(attributes, true),
    "text:tab": () => append("\t"),
    "text:line-break": () => append("\n"),
    "text:s": (attributes) => append(" ".repeat(Math.min(MAX_SPACES, Number(attributes["text:c"] ?? 1) || 1))),
    "table:table-row": () => rows.push([]),
  };
  return {
    open: (name, attributes) => void OPEN[name]?.(attributes),
    close(name) {
      if ((name === "text:p" || name === "text:h") && open.length > 0) end();
      // Cells of a table row become one line.
      else if (name === "table:table-row") {
        const line = rows.pop()?.join("\t") ?? "";
        if (rows.length > 0) rows.at(-1)!.push(line);
        else parts.paragraph(line);
      }
    },
    // XML is laid out with spaces and line feeds that mean nothing.
    text: (value) => append(value.replace(/\s+/g, " ")),
    isDone: parts.isFull,
  };
}
