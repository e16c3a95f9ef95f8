/** Reads the text of RTF 1.9: body, tables and footnotes. Pictures, styles, headers, fields' instructions and everything unknown are left out. */
import type { DocumentText } from "./document-text.ts";
import { damaged } from "./document-text.ts";
import { createParts } from "./parts.ts";

/** Groups whose text is no text of the document. */
const SKIPPED = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator info pict object objdata header headerl headerr headerf footer footerl footerr
  footerf fldinst themedata datastore latentstyles xmlnstbl annotation atnid atnauthor nonshppict bkmkstart bkmkend pgptbl filetbl revtbl ftnsep ftnsepc
  aftnsep aftnsepc template`.split(/\s+/),
);
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: "\t", line: "\n", cell: "\t", emdash: "—", endash: "–", emspace: " ", enspace: " ", bullet: "•", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”",
}; // prettier-ignore
/** Windows code pages of `\fcharset`. */
const CHARSETS: Readonly<Record<number, string>> = {
  128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258", 177: "windows-1255", 178: "windows-1256",
  186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250",
}; // prettier-ignore
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gy;
const MAX_DEPTH = 500;

interface Group {
  isSkipped: boolean;
  /** Fallback characters after `\u`. */
  fallbacks: number;
  encoding: string;
  /** Set within a footnote: the paragraph's text before it. */
  outerText: string | null;
}

export function readRtf(source: string): DocumentText {
  const parts = createParts();
  const fonts = new Map<number, string>();
  const groups: Group[] = [];
  let group: Group = { isSkipped: false, fallbacks: 1, encoding: "windows-1252", outerText: null };
  let defaultEncoding = group.encoding;
  let text = "";
  /** Footnotes of the paragraph, which stand behind it. */
  let notes: string[] = [];
  let bytes: number[] = [];
  let toSkip = 0;
  let isFontTable = false;
  let font = -1;

  const flushBytes = (): void => {
    if (bytes.length > 0) text += decode(bytes, group.encoding);
    bytes = [];
  };
  const append = (value: string): void => {
    flushBytes();
    if (!group.isSkipped) text += value;
  };
  const endParagraph = (): void => {
    flushBytes();
    if (group.outerText !== null) return append("\n");
    parts.paragraph(text);
    for (const note of notes) parts.paragraph(note);
    notes = [];
    text = "";
  };
  const beginNote = (): void => {
    const outer = groups.at(-1);
    if (!outer || outer.isSkipped || group.outerText !== null) return;
    group.isSkipped = false;
    group.outerText = text;
    text = "";
  };

  function runWord(word: string, value: number | null): void {
    flushBytes();
    if (word === "ansicpg" && value !== null) group.encoding = defaultEncoding = encodingOfCodePage(value);
    if (word === "fonttbl") isFontTable = true;
    if (word === "f" && value !== null) {
      font = value;
      if (!isFontTable) group.encoding = fonts.get(value) ?? defaultEncoding;
    }
    if (word === "fcharset" && isFontTable) fonts.set(font, CHARSETS[value ?? 0] ?? defaultEncoding);
    if (word === "footnote") beginNote();
    if (SKIPPED.has(word)) group.isSkipped = true;
    if (group.isSkipped) return;
    if (word === "uc") group.fallbacks = Math.max(0, Math.min(10, value ?? 1));
    else if (word === "u" && value !== null) {
      append(String.fromCharCode(value & 0xffff));
      toSkip = group.fallbacks;
    } else if (word === "par" || word === "row" || word === "sect") endParagraph();
    else if (word === "page" || word === "pagebb") {
      if (text.trim() !== "") endParagraph();
      parts.pageBreak();
    } else append(CHARACTERS[word] ?? "");
  }

  function runSymbol(symbol: string): void {
    if (symbol === "*") group.isSkipped = true;
    else if (symbol === "\n" || symbol === "\r") endParagraph();
    else append({ "~": "\u00A0", _: "-", "-": "" }[symbol] ?? (/[\\{}]/.test(symbol) ? symbol : ""));
  }

  function runBrace(brace: string): void {
    flushBytes();
    toSkip = 0;
    if (brace === "{") {
      if (groups.length >= MAX_DEPTH) throw damaged();
      groups.push(group);
      group = { ...group };
    } else {
      const outer = groups.pop();
      if (!outer) throw damaged();
      if (group.isSkipped && !outer.isSkipped) isFontTable = false;
      if (group.outerText !== null && outer.outerText === null) {
        notes.push(text.trim());
        text = group.outerText;
      }
      group = outer;
    }
  }

  for (const [, word, value, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    if (brace !== undefined) {
      runBrace(brace);
      if (groups.length === 0) break;
    } else if (word !== undefined) {
      if (toSkip > 0 && word !== "u") toSkip -= 1;
      else runWord(word, value === undefined ? null : Number(value));
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else if (!group.isSkipped) bytes.push(Number.parseInt(hex, 16));
    } else if (symbol !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else runSymbol(symbol);
    } else if (plain !== undefined) {
      const skipped = Math.min(toSkip, plain.length);
      toSkip -= skipped;
      append(plain.slice(skipped));
    }
    if (parts.isFull()) break;
  }
  if (groups.length > 0) throw damaged();
  endParagraph();
  return parts.finish();
}

const encodingOfCodePage = (page: number): string =>
  page === 65_001
    ? "utf-8"
    : page >= 1_250 && page <= 1_258
      ? `windows-${page}`
      : page === 932
        ? "shift_jis"
        : page === 936
          ? "gbk"
          : page === 950
            ? "big5"
            : "windows-1252";

const decode = (bytes: readonly number[], encoding: string): string => new TextDecoder(encoding).decode(Uint8Array.from(bytes));
