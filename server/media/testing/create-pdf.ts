/** Writes small PDFs for tests. */

interface PdfOptions {
  /** Address of a link on the first page. */
  link?: string;
  /** A script that runs when the document is opened, in programs that allow it. */
  script?: string;
  /** Width and height of the pages, in points. */
  size?: readonly [width: number, height: number];
}

/** Pages are grouped, as programs do it, so that a reader finds one without reading those before it. */
const PAGES_PER_GROUP = 20;

/** Returns a PDF with one line of ASCII text on each page, in a font that is not embedded. */
export function createPdf(lines: readonly string[], { link, script, size = [595, 842] }: PdfOptions = {}): Buffer {
  const objects: string[] = [];
  const add = (object: string): number => objects.push(object);
  const escape = (text: string) => text.replace(/[\\()]/g, String.raw`\$&`);
  add(`<</Type/Catalog/Pages 2 0 R${script === undefined ? "" : `/OpenAction<</S/JavaScript/JS(${escape(script)})>>`}>>`);
  add("");
  add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  const annotations = link === undefined ? "" : `/Annots[<</Type/Annot/Subtype/Link/Rect[60 760 300 800]/Border[0 0 0]/A<</S/URI/URI(${escape(link)})>>>>]`;
  const pages = lines.map((line, index) => {
    const stream = `BT /F1 18 Tf 60 ${size[1] - 70} Td (${escape(line)}) Tj ET`;
    const content = add(`<</Length ${stream.length}>>stream\n${stream}\nendstream`);
    return add(`<</Type/Page/MediaBox[0 0 ${size.join(" ")}]/Resources<</Font<</F1 3 0 R>>>>/Contents ${content} 0 R${index === 0 ? annotations : ""}>>`);
  });
  const kidsOf = (numbers: readonly number[]) => `/Kids[${numbers.map((number) => `${number} 0 R`).join(" ")}]`;
  const groups: number[] = [];
  for (let at = 0; at < pages.length; at += PAGES_PER_GROUP) {
    const group = pages.slice(at, at + PAGES_PER_GROUP);
    groups.push(add(`<</Type/Pages/Parent 2 0 R/Count ${group.length}${kidsOf(group)}>>`));
  }
  objects[1] = `<</Type/Pages/Count ${pages.length}${kidsOf(groups)}>>`;
  let file = "%PDF-1.7\n";
  const positions = objects.map((object, index) => {
    const position = file.length;
    file += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(position).padStart(10, "0")} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${positions.join("")}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + end, "latin1");
}
