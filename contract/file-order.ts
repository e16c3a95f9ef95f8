/** How files are ordered by name, and when a name contains what is searched: one rule for the service's index and for rows that a client puts in place. */

/** Marks that are accents: in other scripts they make another letter, or a vowel, of what they stand on. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;
/** Without case, accents and Unicode form. */
export const foldName = (name: string): string => name.normalize("NFKD").replace(ACCENTS, "$1").toUpperCase().toLowerCase().normalize("NFKC");

const LONGEST_NUMBER = 999;
/** After the number's length, written in three digits, numbers compare like text: 2 before 10. */
const paddedNumber = (digits: string): string => {
  const plain = digits.replace(/^0+(?=\d)/, "").slice(0, LONGEST_NUMBER);
  return String(plain.length).padStart(3, "0") + plain;
};
/** What is longer than this from the last dot on is not a file type. */
const MAX_ENDING = 20;
/** "mix.wav" -> "mix", ".wav"; the second is "" where a name has no file type. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= MAX_ENDING ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}
/** Before every sign that a name may have: "mix.wav" before "mix (2).wav". */
const BEFORE_ALL = "\u0001";

/** Longer names compare by their beginning: an engine's index holds no more. In code points. */
const LONGEST_KEY = 250;

/** Names in the order of these keys, compared by `byKey`, are in natural order: "mix 2.wav" before "mix 10.wav", whatever case and accents. */
export function nameOrderKey(name: string, isFolder: boolean): string {
  const folded = foldName(name);
  const [stem, ending] = isFolder ? [folded, ""] : splitEnding(folded);
  const parts = ending === "" ? [stem] : [stem, ending.slice(1)];
  const key = parts.map((part) => part.replace(/\d+/g, paddedNumber)).join(BEFORE_ALL);
  return key.length <= LONGEST_KEY ? key : [...key].slice(0, LONGEST_KEY).join("");
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
/** By code point, as the service's engines compare; JavaScript's own `<` puts emoji before some letters of other scripts. */
export function byKey(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left === right) continue;
    if (left > LAST_BEFORE_SURROGATES && right > LAST_BEFORE_SURROGATES) return rank(left) - rank(right);
    return left - right;
  }
  return a.length - b.length;
}
/** Surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** What a listing may be sorted by. Entries that are equal there follow by name (`status`, `kind`), else by id. */
export const FILE_SORTS = ["name", "changed", "created", "size", "duration", "bpm", "status", "kind"] as const;
export type FileSort = (typeof FILE_SORTS)[number];
