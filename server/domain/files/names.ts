/** What a file or folder may be called. Checked, never repaired: a name that changed behind your back is a lost file. */
import { invalid } from "../../lib/faults.ts";

/** Overrides and isolates that make a name read as another one (gpj.exe shown as exe.jpg). */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const MAX_BYTES = 255;

/** Throws a 400 on `path` for a name that is a path, hides its reading direction, or that file systems cannot hold. */
export function demandGoodName(name: string, path: string): string {
  const trimmed = name.trim();
  if (/[/\\]/.test(trimmed)) throw invalid(path, "must not contain / or \\");
  if (trimmed === "." || trimmed === "..") throw invalid(path, "must not be . or ..");
  if (BIDI.test(trimmed)) throw invalid(path, "must not contain invisible direction marks");
  if (Buffer.byteLength(trimmed) > MAX_BYTES) throw invalid(path, `must have at most ${MAX_BYTES} bytes in UTF-8`);
  return trimmed;
}

/** Names that differ only in case or Unicode form are the same name. */
export const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");

/** "mix.wav" -> "mix (2).wav" -> "mix (3).wav"; what comes after the last dot stays last. */
export function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const mark = ` (${number})`;
  let shortened = stem;
  while (Buffer.byteLength(shortened + mark + ending) > MAX_BYTES) shortened = [...shortened].slice(0, -1).join("");
  return shortened + mark + ending;
}
