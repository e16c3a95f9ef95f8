/**
 * Tokenizer of the search: one rule for the index, for queries and for highlighting. Case, accents and ligatures do not matter. Scripts without
 * spaces between words (Chinese, Japanese, Thai …) are split into overlapping pairs, so that any substring matches.
 */

/** Longer tokens are cut to this many characters, in the index and in queries. */
const MAX_TOKEN_LENGTH = 64;
const TOKEN_RUN = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const UNSPACED_SCRIPT = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々][\p{M}]*/gu;
const ASCII_TEXT = /^[\u0000-\u007F]*$/;
const ASCII_TOKEN = /[a-z0-9]+/g;
const NON_TOKEN = /[^\p{L}\p{N}\p{Extended_Pictographic}]+/u;
/** Letters that Unicode normalization does not decompose, with their search equivalents. */
const LETTER_EQUIVALENTS: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ς: "σ" };
const EQUIVALENT_LETTER = /[øłđħðþæœıς]/g;
/** A mention is an id in the text, which nobody searches for. */
const MENTION = /<@\d{1,15}>/g;

interface Piece {
  start: number;
  end: number;
  /** Folded; several if normalization splits the text, as ½ into 1 and 2. */
  tokens: string[];
  /** Set for one letter of a script without spaces: it forms a pair with a directly following piece. */
  isUnspaced?: boolean;
}

function foldTokens(raw: string): string[] {
  const folded = raw.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
  return folded
    .replace(EQUIVALENT_LETTER, (letter) => LETTER_EQUIVALENTS[letter] ?? letter)
    .split(NON_TOKEN)
    .filter((token) => token !== "")
    .map((token) => (token.length > MAX_TOKEN_LENGTH ? [...token].slice(0, MAX_TOKEN_LENGTH).join("") : token));
}

function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (start: number, raw: string, isUnspaced = false) => {
    const tokens = raw === "" ? [] : foldTokens(raw);
    if (tokens.length > 0)
      pieces.push(isUnspaced ? { start, end: start + raw.length, tokens: [tokens.join("")], isUnspaced } : { start, end: start + raw.length, tokens });
  };
  for (const { 0: run, index } of text.matchAll(TOKEN_RUN)) {
    let end = 0;
    // All unspaced scripts are above U+0DFF, so most text needs no search for their letters.
    if (/[^\u0000-\u0DFF]/.test(run))
      for (const letter of run.matchAll(UNSPACED_SCRIPT)) {
        add(index + end, run.slice(end, letter.index));
        add(index + letter.index, letter[0], true);
        end = letter.index + letter[0].length;
      }
    add(index + end, run.slice(end));
  }
  return pieces;
}

const isAdjacent = (piece: Piece, next: Piece | undefined): next is Piece => next?.isUnspaced === true && next.start === piece.end;
const firstToken = (piece: Piece): string => piece.tokens[0] ?? "";

/** Returns the tokens of a text in their order, separated by spaces, so that a text has a phrase if its folded form has the folded phrase. */
export const foldText = (text: string): string => foldTokens(text.replaceAll("\u00AD", "")).join(" ");

/** Returns the distinct tokens of a message for the index. */
export function tokenizeForIndex(body: string): string[] {
  // Fast path for ASCII: the same result in a tenth of the time.
  if (ASCII_TEXT.test(body)) return [...new Set(body.replace(MENTION, " ").toLowerCase().match(ASCII_TOKEN))].map((token) => token.slice(0, MAX_TOKEN_LENGTH));
  const tokens = new Set<string>();
  const pieces = splitPieces(body.replace(MENTION, " "));
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    // The last letter of a run is indexed alone, so that every letter is the beginning of some token.
    if (piece.isUnspaced) tokens.add(isAdjacent(piece, next) ? firstToken(piece) + firstToken(next) : firstToken(piece));
    else for (const token of piece.tokens) tokens.add(token);
  }
  return [...tokens];
}

/** Writes "F#" as "Fsharp", because a tokenizer drops the sign and would take F# and F for the same. */
export const spellOutSharps = (text: string): string => text.replace(/(?<![\p{L}\p{N}])([A-Ga-g])[#♯]/gu, "$1sharp");

/** Returns the ways in which people write a key such as "F# minor": F# minor, F#m, F# min. */
export function namesOfKey(key: string): string[] {
  const name = spellOutSharps(key);
  const [tonic = "", mode] = name.split(" ");
  return mode === "minor" ? [name, `${tonic}m`, "min"] : [name, "maj"];
}

export interface SearchTerm {
  token: string;
  /** The token may be the beginning of a longer one. */
  isPrefix: boolean;
}

/** Returns the terms that a message must all match; empty if the query contains nothing searchable. */
export function parseSearchTerms(query: string): SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  const pieces = splitPieces(query);
  const isUnfinished = pieces.length > 0 && !/[\s\p{P}]$/u.test(query);
  for (const [index, piece] of pieces.entries()) {
    const [next, previous] = [pieces[index + 1], pieces[index - 1]];
    const isTrailing = next === undefined && isUnfinished;
    if (!piece.isUnspaced) {
      for (const [tokenIndex, token] of piece.tokens.entries()) {
        const isPrefix = isTrailing && tokenIndex === piece.tokens.length - 1;
        terms.set(token, { token, isPrefix: isPrefix || (terms.get(token)?.isPrefix ?? false) });
      }
    } else if (isAdjacent(piece, next)) terms.set(firstToken(piece) + firstToken(next), { token: firstToken(piece) + firstToken(next), isPrefix: false });
    else if (previous === undefined || !isAdjacent(previous, piece)) terms.set(firstToken(piece), { token: firstToken(piece), isPrefix: true });
  }
  return [...terms.values()];
}

/** Returns the ranges of the search terms in a text, in order and without overlap. */
export function findHits(text: string, query: string): { start: number; end: number }[] {
  const terms = parseSearchTerms(query);
  const hits: { start: number; end: number }[] = [];
  const addHit = (start: number, end: number) => {
    const last = hits.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else hits.push({ start, end });
  };
  const exactTokens = new Set(terms.map(({ token }) => token));
  const prefixes = terms.filter(({ isPrefix }) => isPrefix).map(({ token }) => token);
  const matches = (token: string) => exactTokens.has(token) || prefixes.some((prefix) => token.startsWith(prefix));
  // The replacement has the same length, so that offsets stay valid.
  const pieces = terms.length === 0 ? [] : splitPieces(text.replace(MENTION, (mention) => " ".repeat(mention.length)));
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (piece.isUnspaced && isAdjacent(piece, next) && exactTokens.has(firstToken(piece) + firstToken(next))) addHit(piece.start, next.end);
    else if (piece.tokens.some(matches)) addHit(piece.start, piece.end);
  }
  return hits;
}
