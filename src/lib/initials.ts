const segmenter = new Intl.Segmenter();

/** The first letter of the first and of the last word: "Ana Kovač" -> "AK". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const picked = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return picked.map((word) => [...segmenter.segment(word)][0]?.segment.toLocaleUpperCase() ?? "").join("");
}
