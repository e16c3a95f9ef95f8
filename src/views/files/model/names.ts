/** Names that are typed for files and folders. The service checks again, by bytes. */
import { t } from "../../../lib/messages/file-actions.ts";

const MAX_NAME_BYTES = 255;
/** What is longer than this after the last dot is not a file type. */
const MAX_EXTENSION_LENGTH = 20;

/** Why this cannot be a name, or null. */
export function validateName(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed === "") return t("nameEmpty");
  if (/[/\\]/.test(trimmed)) return t("nameSlash");
  if (trimmed === "." || trimmed === "..") return t("nameDots");
  return new TextEncoder().encode(trimmed).length > MAX_NAME_BYTES ? t("nameLong") : null;
}

/** How much of a name is chosen when it is changed: without its file type, which mostly stays. */
export function stemLength(name: string, isFolder: boolean): number {
  const dot = isFolder ? -1 : name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? dot : name.length;
}

/** "New folder", "New folder 2", … : the first that is free among these. */
export function uniqueName(baseName: string, existingNames: readonly string[]): string {
  const existingKeys = new Set(existingNames.map((name) => name.normalize("NFC").toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? baseName : `${baseName} ${number}`;
    if (!existingKeys.has(name.normalize("NFC").toLowerCase())) return name;
  }
}

/** Whether two names tell of the same type of file. */
export function isSameType(a: string, b: string): boolean {
  const extensionOf = (name: string) => name.slice(stemLength(name, false)).toLowerCase();
  return extensionOf(a) === extensionOf(b);
}
