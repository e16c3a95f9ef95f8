/**
 * Makes the documents of the tests with other programs: pdfTeX, and LibreOffice from one flat ODT file. Their results are checked in, so that only whoever
 * changes the texts runs it: `node tools/document-fixtures/main.ts` on Debian, after `apt-get install libreoffice-writer texlive-latex-base`.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL(".", import.meta.url));
const RESULTS = fileURLToPath(new URL("../../server/media/testing/documents/", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "talkback-documents-"));
/** A fixed date makes the same bytes in every run of pdfTeX. */
const env = { ...process.env, SOURCE_DATE_EPOCH: "1700000000", HOME: folder };
const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { cwd: folder, env, stdio: "ignore" });

try {
  run("pdflatex", "-interaction=batchmode", `-output-directory=${folder}`, join(SOURCES, "brief.tex"));
  copyFileSync(join(folder, "brief.pdf"), join(RESULTS, "pdftex.pdf"));
  for (const format of ["odt", "docx", "rtf", "pdf"]) {
    run("soffice", "--headless", "--convert-to", format, "--outdir", folder, join(SOURCES, "brief.fodt"));
    copyFileSync(join(folder, `brief.${format}`), join(RESULTS, `libreoffice.${format}`));
  }
  const password = 'pdf:writer_pdf_Export:{"EncryptFile":{"type":"boolean","value":"true"},"DocumentOpenPassword":{"type":"string","value":"secret"}}';
  run("soffice", "--headless", "--convert-to", password, "--outdir", folder, join(SOURCES, "brief.fodt"));
  copyFileSync(join(folder, "brief.pdf"), join(RESULTS, "encrypted.pdf"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
