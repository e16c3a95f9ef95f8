/** How files are ordered by name, and when a name contains what is searched: one rule for the service's index and for rows that a client puts in place. */

/** Marks that are accents: in other scripts they make another letter, or a vowel, of what they stand on. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;
/** Without case, accents and Unicode form. */
export const foldName = (name: string): string => name.normalize("NFKD").replace(ACCENTS, "$1").toUpperCase().toLowerCase().normalize("NFKC");

const MAX_NUMBER_DIGITS = 999;
/** After the number's length, written in three digits, numbers compare like text: 2 before 10. */
const padNumber = (digits: string): string => {
  const trimmed = digits.replace(/^0+(?=\d)/, "").slice(0, MAX_NUMBER_DIGITS);
  return String(trimmed.length).padStart(3, "0") + trimmed;
};
/** What is longer than this from the last dot on is not a file type. */
const MAX_EXTENSION_LENGTH = 20;
/** "mix.wav" -> "mix", ".wav"; the second is "" where a name has no file type. */
export function splitExtension(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}
/** Before every sign that a name may have: "mix.wav" before "mix (2).wav". */
const LOWEST_CHARACTER = "\u0001";

/** Longer names compare by their beginning: an engine's index holds no more. In code points. */
const MAX_KEY_LENGTH = 250;

/** Names in the order of these keys, compared by `compareKeys`, are in natural order: "mix 2.wav" before "mix 10.wav", whatever case and accents. */
export function nameOrderKey(name: string, isFolder: boolean): string {
  const folded = foldName(name);
  const [stem, extension] = isFolder ? [folded, ""] : splitExtension(folded);
  const parts = extension === "" ? [stem] : [stem, extension.slice(1)];
  const key = parts.map((part) => part.replace(/\d+/g, padNumber)).join(LOWEST_CHARACTER);
  return key.length <= MAX_KEY_LENGTH ? key : [...key].slice(0, MAX_KEY_LENGTH).join("");
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
/** By code point, as the service's engines compare; JavaScript's own `<` puts emoji before some letters of other scripts. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left === right) continue;
    if (left > LAST_BEFORE_SURROGATES && right > LAST_BEFORE_SURROGATES) return codePointRank(left) - codePointRank(right);
    return left - right;
  }
  return a.length - b.length;
}
/** Surrogates stand for code points above all others. */
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** What a listing may be sorted by. Entries that are equal there follow by name (`status`, `kind`), else by id. */
export const FILE_SORTS = ["name", "changed", "created", "size", "duration", "bpm", "status", "kind"] as const;
export type FileSort = (typeof FILE_SORTS)[number];
