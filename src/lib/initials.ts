const segmenter = new Intl.Segmenter();

/** Returns the first letters of the first and last word: "Ana Kovač" -> "AK". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return picked.map((word) => [...segmenter.segment(word)][0]?.segment.toLocaleUpperCase() ?? "").join("");
}
