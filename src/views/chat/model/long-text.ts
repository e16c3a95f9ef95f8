/** Decides whether a message is collapsed, by its text alone, so that its height never changes after it is rendered. */

/** Lines of `CHARACTERS_PER_LINE`, roughly what a column holds. */
const MAX_LINES = 26;
const CHARACTERS_PER_LINE = 85;

export function isLong(body: string): boolean {
  let lines = 0;
  for (let lineStart = 0; lineStart <= body.length;) {
    const end = body.indexOf("\n", lineStart);
    const length = (end < 0 ? body.length : end) - lineStart;
    lines += Math.max(1, Math.ceil(length / CHARACTERS_PER_LINE));
    if (lines > MAX_LINES) return true;
    if (end < 0) return false;
    lineStart = end + 1;
  }
  return false;
}
