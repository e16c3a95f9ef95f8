/** Reads the text of a Word document (OOXML): body, then footnotes and endnotes. Headers, comments and deleted text are left out. */
import { damaged, type DocumentText } from "./document-text.ts";
import { createParts, type Parts } from "./parts.ts";
import { type Attributes, parseXml, skipWithin, type XmlHandler } from "./xml.ts";
import type { Zip } from "./zip.ts";

export const DOCX_BODY = "word/document.xml";
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];
/** A fallback repeats the text of a drawing for older programs. */
const SKIPPED = new Set(["mc:Fallback", "w:del", "w:instrText"]);

export async function readDocx(zip: Zip): Promise<DocumentText> {
  if (!zip.names.has(DOCX_BODY)) throw damaged();
  const parts = createParts();
  for (const name of [DOCX_BODY, ...NOTES]) if (zip.names.has(name)) await parseXml(zip.read(name), skipWithin(SKIPPED, createHandler(parts)));
  return parts.finish();
}

const isOn = (attributes: Attributes): boolean => !/^(false|0|off)$/.test(attributes["w:val"] ?? "");

function createHandler(parts: Parts): XmlHandler {
  let text = "";
  let isHeading = false;
  let isText = false;
  let cells: string[] | null = null;
  const flush = (): void => {
    // Cells of a table row become one line.
    if (cells) cells.push(text);
    else parts.paragraph(text.trim(), isHeading);
    text = "";
    isHeading = false;
  };
  const OPEN: Record<string, (attributes: Attributes) => void> = {
    "w:t": () => (isText = true),
    "w:tab": () => (text += "\t"),
    "w:noBreakHyphen": () => (text += "-"),
    "w:cr": () => (text += "\n"),
    "w:br"(attributes) {
      if (attributes["w:type"] !== "page") return void (text += "\n");
      flush();
      parts.pageBreak();
    },
    "w:pageBreakBefore": (attributes) => isOn(attributes) && parts.pageBreak(),
    "w:pStyle": (attributes) => (isHeading ||= /^(heading|title|überschrift|berschrift)/i.test(attributes["w:val"] ?? "")),
    "w:outlineLvl": () => (isHeading = true),
    "w:tr": () => (cells = []),
  };
  return {
    open: (name, attributes) => void OPEN[name]?.(attributes),
    close(name) {
      if (name === "w:t") isText = false;
      else if (name === "w:p") flush();
      else if (name === "w:tr" && cells) {
        const line = cells.join("\t");
        cells = null;
        parts.paragraph(line);
      }
    },
    text(value) {
      if (isText) text += value;
    },
    isDone: parts.isFull,
  };
}
