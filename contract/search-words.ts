/**
 * What counts as a word in the search of a chat, and when two are the same: one rule for the index, for what is searched, and for marking
 * what was found. Case, accents and ligatures do not matter. Scripts without spaces between words (Chinese, Japanese, Thai …) are cut into
 * overlapping pairs, so that any stretch of them is found.
 */

/** Longer words are compared by their beginning. */
const LONGEST_WORD = 64;
const RUN = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々][\p{M}]*/gu;
const PLAIN = /^[\u0000-\u007F]*$/;
const PLAIN_WORD = /[a-z0-9]+/g;
const NO_WORD = /[^\p{L}\p{N}\p{Extended_Pictographic}]+/u;
/** Letters that stand for others without being made of them. */
const ALIKE: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ς: "σ" };
const ALIKE_LETTER = /[øłđħðþæœıς]/g;
/** A mention is an id in the text, which nobody searches for. */
const MENTION = /<@\d{1,15}>/g;

interface Piece {
  start: number;
  end: number;
  /** Folded; more than one where a sign stands for several words. */
  words: string[];
  /** Set for one letter of a script without spaces: it forms a pair with the next piece if that follows at once. */
  unspaced?: boolean;
}

function fold(raw: string): string[] {
  const plain = raw.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
  return plain
    .replace(ALIKE_LETTER, (letter) => ALIKE[letter] ?? letter)
    .split(NO_WORD)
    .filter((word) => word !== "")
    .map((word) => (word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join("") : word));
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (start: number, raw: string, unspaced = false) => {
    const words = raw === "" ? [] : fold(raw);
    if (words.length > 0)
      pieces.push(unspaced ? { start, end: start + raw.length, words: [words.join("")], unspaced } : { start, end: start + raw.length, words });
  };
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let end = 0;
    // Most text has none of these letters: the test spares it the search.
    if (/[^\u0000-\u0DFF]/.test(run))
      for (const letter of run.matchAll(UNSPACED)) {
        add(index + end, run.slice(end, letter.index));
        add(index + letter.index, letter[0], true);
        end = letter.index + letter[0].length;
      }
    add(index + end, run.slice(end));
  }
  return pieces;
}

const follows = (piece: Piece, next: Piece | undefined): next is Piece => next?.unspaced === true && next.start === piece.end;
const only = (piece: Piece): string => piece.words[0] ?? "";

/** Every word of a message once, as the index keeps them. */
export function indexWords(body: string): string[] {
  // The same in a tenth of the time, for most of what is written.
  if (PLAIN.test(body)) return [...new Set(body.replace(MENTION, " ").toLowerCase().match(PLAIN_WORD))].map((word) => word.slice(0, LONGEST_WORD));
  const words = new Set<string>();
  const pieces = piecesOf(body.replace(MENTION, " "));
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    // The last letter of a stretch stands alone: each letter begins something.
    if (piece.unspaced) words.add(follows(piece, next) ? only(piece) + only(next) : only(piece));
    else for (const word of piece.words) words.add(word);
  }
  return [...words];
}

export interface SearchedWord {
  word: string;
  /** The word may go on. */
  beginning: boolean;
}

/** What a message must have to be found: all of these. Empty where nothing was written that can be searched for. */
export function searchedWords(query: string): SearchedWord[] {
  const words = new Map<string, SearchedWord>();
  const pieces = piecesOf(query);
  const unfinished = pieces.length > 0 && !/[\s\p{P}]$/u.test(query);
  for (const [index, piece] of pieces.entries()) {
    const [next, before] = [pieces[index + 1], pieces[index - 1]];
    const last = next === undefined && unfinished;
    if (!piece.unspaced) {
      for (const [nth, word] of piece.words.entries()) {
        const beginning = last && nth === piece.words.length - 1;
        words.set(word, { word, beginning: beginning || (words.get(word)?.beginning ?? false) });
      }
    } else if (follows(piece, next)) words.set(only(piece) + only(next), { word: only(piece) + only(next), beginning: false });
    else if (before === undefined || !follows(before, piece)) words.set(only(piece), { word: only(piece), beginning: true });
  }
  return [...words.values()];
}

/** Where the searched words stand in a text, in order and without overlap. */
export function hitsIn(text: string, query: string): { start: number; end: number }[] {
  const searched = searchedWords(query);
  const hits: { start: number; end: number }[] = [];
  const mark = (start: number, end: number) => {
    const last = hits.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else hits.push({ start, end });
  };
  const whole = new Set(searched.map(({ word }) => word));
  const beginnings = searched.filter(({ beginning }) => beginning).map(({ word }) => word);
  const matches = (word: string) => whole.has(word) || beginnings.some((one) => word.startsWith(one));
  // Of one length, so that places stay where they are.
  const pieces = searched.length === 0 ? [] : piecesOf(text.replace(MENTION, (mention) => " ".repeat(mention.length)));
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1];
    if (piece.unspaced && follows(piece, next) && whole.has(only(piece) + only(next))) mark(piece.start, next.end);
    else if (piece.words.some(matches)) mark(piece.start, piece.end);
  }
  return hits;
}
