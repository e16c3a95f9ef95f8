/** Names inside an archive: whatever a file is called here, unpacking it anywhere makes one file of nearly that name, below where it is unpacked. */
import { splitEnding } from "../../../contract/file-order.ts";

/** What Windows refuses, and what would make a path of a name or end it. */
const REFUSED = /[\u0000-\u001F\u007F-\u009F<>:"/\\|?*]/g;
const HIDDEN = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Devices on Windows, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;
const MAX_BYTES = 240;

/** Never empty, never "." or "..", no separators, in Unicode's composed form. */
export function safeName(name: string): string {
  const plain = name.replace(LONE_SURROGATE, "_").normalize("NFC").replace(HIDDEN, "").replace(REFUSED, "_").trim();
  // Windows drops dots and spaces at the end, and with them the difference between two names.
  let safe = plain.replace(/[. ]+$/, (end) => "_".repeat(end.length));
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (safe === "") safe = "_";
  return Buffer.byteLength(safe) <= MAX_BYTES ? safe : shortened(safe);
}

function shortened(name: string): string {
  const [whole, ending] = splitEnding(name);
  let stem = whole;
  while (Buffer.byteLength(stem + ending) > MAX_BYTES) stem = [...stem].slice(0, -1).join("");
  return stem + ending;
}
