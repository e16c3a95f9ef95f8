/** Names inside an archive: whatever a file is called here, unpacking it anywhere makes one file of nearly that name, below where it is unpacked. */
import { splitExtension } from "../../../contract/file-order.ts";

/** What Windows refuses, and what would make a path of a name or end it. */
const FORBIDDEN = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*]/g;
const HIDDEN = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Devices on Windows, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;
const MAX_BYTES = 240;

/** Never empty, never "." or "..", no separators, in Unicode's composed form. */
export function safeName(name: string): string {
  const plain = name.replace(LONE_SURROGATE, "_").normalize("NFC").replace(HIDDEN, "").replace(FORBIDDEN, "_").trim();
  // Windows drops dots and spaces at the end, and with them the difference between two names.
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
