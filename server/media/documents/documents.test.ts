/** Tests the readers of documents with files that LibreOffice and pdfTeX made (`tools/document-fixtures`), and with hostile ones. */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { recognize } from "../recognition/recognize.ts";
import { createTestFolder } from "../testing/folder.ts";
import type { DocumentText } from "./document-text.ts";
import { readDocument } from "./read-document.ts";

let folder: ReturnType<typeof createTestFolder>;
beforeAll(() => void (folder = createTestFolder()));
afterAll(() => folder[Symbol.dispose]());

const fixture = (name: string): URL => new URL(`../testing/documents/${name}`, import.meta.url);

async function read(bytes: Buffer | string): Promise<DocumentText | null> {
  const path = folder.resolve("document");
  writeFileSync(path, bytes);
  return await readDocument({ path, ...recognize(path) }, () => {});
}
const readFixture = (name: string) => read(readFileSync(fixture(name)));

/** Returns the numbers of the pages that have the words, whatever is between them. */
const pagesWith = (text: DocumentText | null, words: string): number[] =>
  (text?.pages ?? []).filter((page) => page.text.replaceAll("\u00AD", "").replace(/\s+/g, " ").includes(words)).map(({ number }) => number);

async function zip(files: Record<string, Buffer | string>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const docx = (body: string) =>
  zip({ "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>` });
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("every sentence is found on its page", () => {
  const SENTENCES: [string, number][] = [
    ["The cello was recorded in the old chapel on a rainy Tuesday. Größere Räume klingen kälter.", 1],
    ["The office is the one with the blue door.", 1],
    ["Bassoon left in the middle", 2],
    ["The violas follow the harmonium as an echo without vibrato, and nobody plays louder than the rain.", 2],
    ["שלום עולם is the title of the third song.", 3],
    ["The chorus says مرحبا بالعالم twice, and Привет at the end.", 3],
  ];
  test.each(["pdf", "odt", "docx", "rtf"])("of LibreOffice's %s", async (format) => {
    const text = await readFixture(`libreoffice.${format}`);
    expect(text).toMatchObject({ state: "indexed", unit: format === "pdf" ? "page" : "part", pageCount: 3, isCut: false });
    // LibreOffice writes the footnotes of a Word document at its end.
    for (const [sentence, page] of SENTENCES)
      if (format !== "docx" || !sentence.includes("blue door")) expect(pagesWith(text, sentence), sentence).toEqual([page]);
  });
  test("of pdfTeX's PDF, with ligatures, hyphens, columns and a table", async () => {
    const text = await readFixture("pdftex.pdf");
    for (const [sentence, page] of [
      ["The final offer flows efficiently through five different filters.", 1],
      ["Unfortunately the intermodulation of the upper harmonics", 1],
      ["overwhelms the consonants; please automate", 1],
      ["The second column begins here with the drums. Nothing of the first column may be mixed", 1],
      ["Für die Strophe gilt: schöne Räume klingen kälter", 1],
      ["Tambourine −18 dB 30 right", 2],
      ["the invoice goes to the office in Zürich.", 3],
    ] as const)
      expect(pagesWith(text, sentence), sentence).toEqual([page]);
  });
});

describe("plain text", () => {
  test.each([
    ["UTF-8", Buffer.from("größer, ещё")],
    ["UTF-16, little endian", Buffer.from("\uFEFFgrößer, ещё", "utf16le")],
    ["UTF-16, big endian", Buffer.from("\uFEFFgrößer, ещё", "utf16le").swap16()],
  ])("in %s", async (_name, bytes) => expect((await read(bytes))?.pages).toEqual([{ number: 1, text: "größer, ещё" }]));
  test("in Latin-1", async () => expect((await read(Buffer.from("größer", "latin1")))?.pages[0]?.text).toBe("größer"));

  test("is divided at headings and after about 3,000 characters", async () => {
    const verse = "word ".repeat(300);
    const text = await read(`# One\n${verse}\n# Two\n${verse}\n${verse}\n${verse}`);
    expect(text?.pages.map((page) => page.text.slice(0, 5))).toEqual(["# One", "# Two", "word"].map((start) => expect.stringContaining(start) as string));
  });
  test("loses NUL, control characters and lone surrogates", async () => {
    const start = "plain ".repeat(1_000);
    const text = await read(Buffer.concat([Buffer.from(start), Buffer.from("nul\0bell\u0007 "), Buffer.from([0xff, 0xfe, 0x80])]));
    expect(text?.state).toBe("indexed");
    // eslint-disable-next-line no-control-regex -- these must be gone
    for (const page of text?.pages ?? []) expect([page.text.isWellFormed(), /[\0\u0007]/.test(page.text)]).toEqual([true, false]);
    const utf16 = await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("lone \ud800 one", "utf16le")]));
    expect(utf16?.pages[0]?.text).toBe("lone \ufffd one");
  });
});

describe("RTF", () => {
  test("code pages, Unicode with fallbacks, and skipped groups", async () => {
    const text = await read(
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\*\generator secret;}\f0 gr\'f6\'dfer {\f1 \'cf\'f0\'e8} \u8364?uro\par {\header top}end\page next}`,
    );
    expect(text?.pages).toEqual([
      { number: 1, text: "größer При €uro\nend" },
      { number: 2, text: "next" },
    ]);
  });
  test.each([
    ["closed too often", "{\\rtf1 a}}b"],
    ["nested deeply", `{\\rtf1 ${"{".repeat(100_000)}`],
    ["cut", "{\\rtf1 {\\b text"],
  ])("that is %s does no harm", async (_name, bytes) => expect(["failed", "indexed"]).toContain((await read(bytes))?.state));
});

describe("what cannot be read is said", () => {
  const cut = (name: string) => readFileSync(fixture(name)).subarray(0, 3_000);
  test("a password", async () => {
    expect(await readFixture("encrypted.pdf")).toMatchObject({ state: "encrypted", reason: expect.stringContaining("password") as string, pages: [] });
    const manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>';
    const files = { mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "x", "META-INF/manifest.xml": manifest };
    expect((await read(await zip(files)))?.state).toBe("encrypted");
  });
  test.each(["libreoffice.odt", "libreoffice.docx", "pdftex.pdf"])("the first part of %s", async (name) =>
    expect(["failed", "empty"]).toContain((await read(cut(name)))?.state),
  );
  test("a document without words is empty", async () => expect((await read(await docx("<w:p/>")))?.state).toBe("empty"));
  test("a zip that is no document has no text", async () => expect(await read(await zip({ "a.txt": "text" }))).toBeNull());
  test("the name does not count", async () => {
    copyFileSync(fixture("libreoffice.docx"), folder.resolve("song.mp3"));
    const path = folder.resolve("song.mp3");
    expect((await readDocument({ path, ...recognize(path) }, () => {}))?.state).toBe("indexed");
  });
});

describe("hostile documents end with a failure, soon", () => {
  test("a zip bomb", async () => {
    const text = await read(await zip({ "word/document.xml": Buffer.alloc(100_000_000) }));
    expect(text).toMatchObject({ state: "failed", reason: expect.stringContaining("unpacks") as string });
  });
  test("entities that multiply or load files", async () => {
    for (const entity of ['<!ENTITY a "&b;&b;"><!ENTITY b "ha">', '<!ENTITY a SYSTEM "file:///etc/passwd">']) {
      const xml = `<?xml version="1.0"?><!DOCTYPE d [${entity}]><w:document xmlns:w="w">${paragraph("&a;")}</w:document>`;
      expect(await read(await zip({ "word/document.xml": xml }))).toMatchObject({ state: "failed", pages: [] });
    }
  });
  test("elements within elements without end", async () => expect((await read(await docx("<w:p>".repeat(200_000))))?.state).toBe("failed"));
  test("a long text is cut", async () => {
    const text = await read(`${"word ".repeat(1_000)}\n`.repeat(1_000));
    expect(text).toMatchObject({ state: "indexed", isCut: true });
    expect(text!.pages.reduce((sum, page) => sum + page.text.length, 0)).toBeLessThanOrEqual(4_000_000);
  });
  test("a PDF that claims to have a million pages", async () => {
    const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1000000/Kids[]>>endobj\ntrailer<</Root 1 0 R>>`;
    expect(["failed", "empty"]).toContain((await read(pdf))?.state);
  });
});
