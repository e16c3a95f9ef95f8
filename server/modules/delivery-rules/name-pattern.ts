/** Matches names against patterns with wildcards and tokens. No pattern can hang the service: the time grows only with both lengths. */

type Part = { literal: string } | { kind: "text" | "character" | "digits" | "date" };

const TOKEN = /\{(\w+)\}|\*|\?/g;
const TOKEN_KINDS: Readonly<Record<string, "digits" | "date">> = { version: "digits", number: "digits", date: "date" };
const DATES = [/\d{8}/y, /\d{6}/y, /\d{4}([-._])\d{2}\1\d{2}/y, /\d{2}([-._])\d{2}\1\d{4}/y];

/** The form in which name and pattern are compared, whatever the case and width of their characters. */
const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/** `values`: the text that stands for a token. `version` and `number` stand for digits, `date` for a date in digits, and any other token for any text. */
export function parsePattern(pattern: string, values: Readonly<Record<string, string>> = {}): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of pattern.matchAll(TOKEN)) {
    if (match.index > end) parts.push({ literal: fold(pattern.slice(end, match.index)) });
    end = match.index + match[0].length;
    const token = match[1] ?? "";
    if (match[0] === "?") parts.push({ kind: "character" });
    else if (values[token] !== undefined) parts.push({ literal: fold(values[token]) });
    else parts.push({ kind: TOKEN_KINDS[token] ?? "text" });
  }
  if (end < pattern.length) parts.push({ literal: fold(pattern.slice(end)) });
  return parts;
}

/** Parses a pattern in which only * and ? have a meaning. */
export const parseWildcards = (pattern: string): Part[] =>
  pattern.split(/([*?])/).flatMap((part): Part[] => {
    if (part === "*") return [{ kind: "text" }];
    if (part === "?") return [{ kind: "character" }];
    return part === "" ? [] : [{ literal: fold(part) }];
  });

/** Returns where the part can end that begins at this position. */
function* endsAt(part: Part, text: string, position: number): Generator<number> {
  if ("literal" in part) {
    if (text.startsWith(part.literal, position)) yield position + part.literal.length;
  } else if (part.kind === "text") {
    for (let end = position; end <= text.length; end += 1) yield end;
  } else if (part.kind === "digits") {
    for (let end = position; /\d/.test(text[end] ?? ""); end += 1) yield end + 1;
  } else if (part.kind === "date") {
    for (const date of DATES) {
      date.lastIndex = position;
      if (date.test(text)) yield date.lastIndex;
    }
  } else yield position + String.fromCodePoint(text.codePointAt(position) ?? 0).length;
}

/** Returns whether the whole name matches. Follows all positions that the parts so far can end at. */
export function matchesPattern(name: string, parts: readonly Part[]): boolean {
  const text = fold(name);
  let positions = [0];
  for (const part of parts) {
    // From its first position any text can end wherever it can from the others.
    const starts = "kind" in part && part.kind === "text" ? positions.slice(0, 1) : positions;
    positions = [...new Set(starts.flatMap((position) => [...endsAt(part, text, position)]))].toSorted((a, b) => a - b);
  }
  return positions.includes(text.length);
}
