/** Reads a CSV file: bounded, with "," or ";" between cells, as rows with the line that each begins on. */
import { CsvError, parse } from "csv-parse";
import { Readable } from "node:stream";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import { HttpError } from "../../lib/errors.ts";

export interface TableRow {
  line: number;
  cells: string[];
}
export interface Table {
  header: string[];
  rows: TableRow[];
  delimiter: "," | ";";
}

const PIECE = 65_536;

/** Collects the body as text. Throws a 413 beyond the limit, and a 400 for other encodings than UTF-8. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LIMITS.metadata_csv_bytes) throw new HttpError(413, `The table is larger than ${LIMITS.metadata_csv_bytes / 1_000_000} MB.`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new HttpError(400, "The table is not valid UTF-8. Save it as CSV UTF-8.");
  }
}

/** Returns what separates the headings: what is more frequent in the first line, outside of quotes. */
function findDelimiter(text: string): "," | ";" {
  const unquoted =
    text
      .slice(0, PIECE)
      .replaceAll(/"(?:[^"]|"")*"/g, "")
      .split(/\r?\n/, 1)[0] ?? "";
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ",";
}

/** Throws a 400 for text that is no CSV, naming the line. */
export async function readTable(text: string): Promise<Table> {
  const delimiter = findDelimiter(text);
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) => text.slice(index * PIECE, (index + 1) * PIECE));
  const parser = parse({ delimiter, bom: true, info: true, relax_column_count: true, skip_empty_lines: true });
  const rows: TableRow[] = [];
  let previousLine = 0;
  try {
    for await (const { record, info } of Readable.from(pieces)
      .on("error", (error) => parser.destroy(error))
      .pipe(parser) as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // The parser counts the lines up to the end of a row, which may have line breaks in its cells.
      const breaks = record.join("").split(/\r\n|\n|\r/).length - 1;
      rows.push({ line: Math.max(previousLine + 1, info.lines - breaks), cells: record });
      previousLine = info.lines;
      if (rows.length > LIMITS.metadata_csv_rows + 1)
        throw new HttpError(400, `The table has more than ${formatCount(LIMITS.metadata_csv_rows)} rows. Import it in parts.`);
    }
  } catch (error) {
    if (error instanceof CsvError) throw new HttpError(400, `The table is not valid CSV: ${error.message.slice(0, 200)}`);
    throw error;
  }
  const [header, ...rest] = rows;
  if (!header) throw new HttpError(400, "The table is empty.");
  return { header: header.cells.map((cell) => cell.trim()), rows: rest, delimiter };
}
