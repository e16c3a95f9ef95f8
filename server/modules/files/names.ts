/** Validates names of files and folders. Invalid names are rejected and never altered, because people do not find a file that was renamed silently. */
import { fileNameKey, splitExtension } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { cleanName, findTextIssue } from "../../../contract/text.ts";
import { invalid } from "../../lib/errors.ts";

const MAX_BYTES = 255;

function findNameIssue(name: string): string | null {
  const issue = findTextIssue(name, { min: 1, max: MAX_BYTES, singleLine: true });
  if (issue) return issue;
  if (/[/\\]/.test(name)) return "must not contain / or \\";
  if (name === "." || name === "..") return "must not be . or ..";
  return Buffer.byteLength(name) > MAX_BYTES ? `must have at most ${MAX_BYTES} bytes in UTF-8` : null;
}

/** Returns the trimmed name; throws a 400 on `path` for a name that is a path, has invisible characters, or does not fit file systems. */
export function assertValidName(name: string, path: string): string {
  const trimmed = name.trim();
  const issue = findNameIssue(trimmed);
  if (issue) throw invalid(path, issue);
  return trimmed;
}

/** Splits a relative path such as "Stems/Drums" into folder names; throws a 400 if it is not a path or leaves its start folder. */
export function assertValidPath(text: string, path: string): string[] {
  if (text === "") return [];
  const parts = text.split("/");
  if (parts.includes("")) throw invalid(path, "must be folder names separated by /, without a leading or trailing /");
  if (parts.length > LIMITS.path_folders) throw invalid(path, `must have at most ${LIMITS.path_folders} nested folders`);
  return parts.map((part) => assertValidName(part, path));
}

/** Returns the name as it is if it is valid, else without invisible characters, or else the fallback: for bytes that are here already. */
export const repairedName = (name: string, fallback: string): string => validNameOr(validNameOr(name, cleanName(name)), fallback);

/** Returns the suggested name if it is valid, otherwise the fallback. */
export const validNameOr = (suggested: string, fallback: string): string => (findNameIssue(suggested.trim()) ? fallback : suggested.trim());

/** Returns "mix (2).wav" for "mix.wav" and 2, shortening the stem if needed and keeping the extension last. */
export function numberedName(name: string, number: number): string {
  const [stem, extension] = splitExtension(name);
  const suffix = ` (${number})`;
  let shortened = stem;
  while (Buffer.byteLength(shortened + suffix + extension) > MAX_BYTES) shortened = [...shortened].slice(0, -1).join("");
  return shortened + suffix + extension;
}

/** Returns the requested name or the first free numbered one, checking candidates in batches with `findTakenKeys`. */
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
