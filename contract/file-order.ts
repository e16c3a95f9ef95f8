/** Sort keys and folding of file names: one rule for the service's index and for rows that a client inserts into a sorted list. */

/** Accents on Latin and Greek letters. Combining marks of other scripts change the letter or add a vowel, so they must stay. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu;
/** Removes differences of case, accents and Unicode form. */
export const foldName = (name: string): string => name.normalize("NFKD").replace(ACCENTS, "$1").toUpperCase().toLowerCase().normalize("NFKC");

/** Returns the key under which file names that differ only in case or Unicode form are the same. Unlike `nameKey`, it keeps what looks different. */
export const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");

const MAX_NUMBER_DIGITS = 999;
/** Prefixes a number with its length in three digits, so that numbers compare as text: 2 before 10. */
const padNumber = (digits: string): string => {
  const trimmed = digits.replace(/^0+(?=\d)/, "").slice(0, MAX_NUMBER_DIGITS);
  return String(trimmed.length).padStart(3, "0") + trimmed;
};
/** Maximum length of a file extension, the dot included; a longer suffix belongs to the name. */
const MAX_EXTENSION_LENGTH = 20;
/** "mix.wav" -> "mix", ".wav"; the extension is "" if the name has none. */
export function splitExtension(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf(".");
  return dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
}
/** Sorts before every character that a name can contain: "mix.wav" before "mix (2).wav". */
const LOWEST_CHARACTER = "\u0001";

/** In code points. Longer keys are cut, because a database index holds no more. */
const MAX_KEY_LENGTH = 250;

/** Sort key for natural order, compared with `compareKeys`: "mix 2.wav" before "mix 10.wav", regardless of case and accents. */
export function nameOrderKey(name: string, isFolder: boolean): string {
  const folded = foldName(name);
  const [stem, extension] = isFolder ? [folded, ""] : splitExtension(folded);
  const parts = extension === "" ? [stem] : [stem, extension.slice(1)];
  const key = parts.map((part) => part.replace(/\d+/g, padNumber)).join(LOWEST_CHARACTER);
  return key.length <= MAX_KEY_LENGTH ? key : [...key].slice(0, MAX_KEY_LENGTH).join("");
}

const LAST_BEFORE_SURROGATES = 0xd7ff;
/** Compares by code point, as the service's engines do; JavaScript's own `<` sorts emoji before some letters of other scripts. */
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
/** Ranks surrogates above all other UTF-16 units, because they encode code points above all others. */
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Sort fields of a listing. Ties are ordered by name (`status`, `kind`) or by id (the others). */
export const FILE_SORTS = ["name", "changed", "created", "size", "duration", "bpm", "status", "kind"] as const;
export type FileSort = (typeof FILE_SORTS)[number];
