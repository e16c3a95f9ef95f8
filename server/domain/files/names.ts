/** What a file or folder may be called. Checked, never repaired: a name that changed behind your back is a lost file. */
import { splitExtension } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { findTextIssue } from "../../../contract/text.ts";
import { invalid } from "../../lib/faults.ts";

/** Marks that turn the text around them (gpj.exe shown as exe.jpg); a text may have them, a name may not. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const MAX_BYTES = 255;

function findNameIssue(name: string): string | null {
  const issue = findTextIssue(name, { min: 1, max: MAX_BYTES, singleLine: true });
  if (issue) return issue;
  if (/[/\\]/.test(name)) return "must not contain / or \\";
  if (name === "." || name === "..") return "must not be . or ..";
  if (BIDI.test(name)) return "must not contain invisible direction marks";
  return Buffer.byteLength(name) > MAX_BYTES ? `must have at most ${MAX_BYTES} bytes in UTF-8` : null;
}

/** Throws a 400 on `path` for a name that is a path, hides its reading direction, or that file systems cannot hold. */
export function assertValidName(name: string, path: string): string {
  const trimmed = name.trim();
  const issue = findNameIssue(trimmed);
  if (issue) throw invalid(path, issue);
  return trimmed;
}

/** The folders of a relative path: "Stems/Drums". Throws a 400 for what would leave the folder it starts from, or is no path at all. */
export function assertValidPath(text: string, path: string): string[] {
  if (text === "") return [];
  const parts = text.split("/");
  if (parts.includes("")) throw invalid(path, "must be names of folders with / between, without one at its ends");
  if (parts.length > LIMITS.path_folders) throw invalid(path, `must have at most ${LIMITS.path_folders} folders below each other`);
  return parts.map((part) => assertValidName(part, path));
}

/** A name that somebody else suggests, if it may be used. */
export const validNameOr = (suggested: string, fallback: string): string => (findNameIssue(suggested.trim()) ? fallback : suggested.trim());

/** Names that differ only in case or Unicode form are the same name. */
export const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");

/** "mix.wav" -> "mix (2).wav" -> "mix (3).wav"; the file type stays last. */
export function numberedName(name: string, number: number): string {
  const [stem, extension] = splitExtension(name);
  const suffix = ` (${number})`;
  let shortened = stem;
  while (Buffer.byteLength(shortened + suffix + extension) > MAX_BYTES) shortened = [...shortened].slice(0, -1).join("");
  return shortened + suffix + extension;
}

/** The wished name and then numbered ones, a handful at a time, until `findTakenKeys` leaves one of them over. */
export async function findFreeName(requestedName: string, findTakenKeys: (keys: string[]) => Promise<Set<string>>): Promise<string> {
  const BATCH_SIZE = 50;
  let candidates = [requestedName];
  for (let number = 2; ; number += BATCH_SIZE) {
    const takenKeys = await findTakenKeys(candidates.map(fileNameKey));
    const freeName = candidates.find((name) => !takenKeys.has(fileNameKey(name)));
    if (freeName !== undefined) return freeName;
    candidates = Array.from({ length: BATCH_SIZE }, (_, index) => numberedName(requestedName, number + index));
  }
}
