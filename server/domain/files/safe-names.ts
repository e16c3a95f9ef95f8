/** Names inside an archive: each extracts on any system as one file with a similar name, inside the target folder. */
import { splitExtension } from "../../../contract/file-order.ts";

/** Characters that Windows rejects, or that would turn a name into a path or terminate it. */
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*]/g;
const HIDDEN = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Windows device names, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;
const MAX_BYTES = 240;

/** Returns a name in NFC without separators that is never empty, "." or "..". */
export function safeName(name: string): string {
  const plain = name.replace(LONE_SURROGATE, "_").normalize("NFC").replace(HIDDEN, "").replace(FORBIDDEN, "_").trim();
  // Windows strips trailing dots and spaces, which would make distinct names equal.
  let safe = plain.replace(/[. ]+$/, (end) => "_".repeat(end.length));
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  return Buffer.byteLength(safe) <= MAX_BYTES ? safe : shorten(safe);
}

function shorten(name: string): string {
  const [fullStem, extension] = splitExtension(name);
  let stem = fullStem;
  while (Buffer.byteLength(stem + extension) > MAX_BYTES) stem = [...stem].slice(0, -1).join("");
  return stem + extension;
}
