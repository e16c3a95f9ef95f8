/** Whether a message is so long that only its beginning shows first. Judged by its text, so that its height never changes after it is drawn. */

/** Lines, of about so many characters as a column holds. */
const MOST = 26;
const COLUMN = 85;

export function isLong(body: string): boolean {
  let lines = 0;
  for (let at = 0; at <= body.length;) {
    const end = body.indexOf("\n", at);
    const length = (end < 0 ? body.length : end) - at;
    lines += Math.max(1, Math.ceil(length / COLUMN));
    if (lines > MOST) return true;
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}
