/** Validates the names of files and folders while users type them, as the service does too, and splits long names for display. */
import { cleanName } from "../../../contract/text.ts";
import { fileNameKey } from "../../../contract/file-order.ts";
import { t } from "../../lib/texts/file-actions.ts";

const MAX_NAME_BYTES = 255;
/** A longer part after the last dot is not a file extension. */
const MAX_EXTENSION_LENGTH = 20;

/** Names up to this many graphemes are not split. */
const MAX_WHOLE_LENGTH = 20;
/** Number of graphemes to keep at the end: " v12.flac" and a little more. */
const END_LENGTH = 10;

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns why the name is invalid, or null. */
export function validateName(name: string): string | null {
  const trimmed = cleanName(name);
  if (trimmed === "") return t("nameEmpty");
  if (/[/\\]/.test(trimmed)) return t("nameSlash");
  if (trimmed === "." || trimmed === "..") return t("nameDots");
  return new TextEncoder().encode(trimmed).length > MAX_NAME_BYTES ? t("nameLong") : null;
}

/** Returns the length of the part to select when renaming, which excludes the file extension because it mostly stays. */
export function stemLength(name: string, isFolder: boolean): number {
  const dot = isFolder ? -1 : name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? dot : name.length;
}

/** Returns the first name not yet taken: "New folder", "New folder 2", and so on. */
export function uniqueName(baseName: string, existingNames: readonly string[]): string {
  const existingKeys = new Set(existingNames.map(fileNameKey));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? baseName : `${baseName} ${number}`;
    if (!existingKeys.has(fileNameKey(name))) return name;
  }
}

/** Returns whether two names have the same file extension. */
export function isSameType(a: string, b: string): boolean {
  const extensionOf = (name: string) => name.slice(stemLength(name, false)).toLowerCase();
  return extensionOf(a) === extensionOf(b);
}

/**
 * Splits a long name so that it is truncated in the middle, because its end shows version and file type. Returns the beginning, which may be truncated,
 * and the end, which stays. Both together are the whole name.
 */
export function splitName(name: string): [beginning: string, end: string] {
  // Most names are short, and no name has more graphemes than UTF-16 code units.
  if (name.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const graphemes = [...graphemeSegmenter.segment(name)];
  if (graphemes.length <= MAX_WHOLE_LENGTH) return [name, ""];
  const splitIndex = graphemes.at(-END_LENGTH)!.index;
  return [name.slice(0, splitIndex), name.slice(splitIndex)];
}
