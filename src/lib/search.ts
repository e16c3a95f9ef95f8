/** Searches short lists by a few typed letters, ignoring case and accents. */

const fold = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** Scores how well `name` matches `query` by its worst word: 3 at the start, 2 at the start of a word, 1 anywhere, 0 if a word is missing. */
export function matchScore(name: string, query: string): number {
  const text = fold(name);
  const words = fold(query).split(/\s+/).filter(Boolean);
  let worst = 3;
  for (const word of words) {
    const index = text.indexOf(word);
    if (index < 0) return 0;
    const score = index === 0 ? 3 : startsWord(text, word) ? 2 : 1;
    worst = Math.min(worst, score);
  }
  return worst;
}

function startsWord(text: string, word: string): boolean {
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1)) {
    if (index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1]!)) return true;
  }
  return false;
}

/** Returns the matching items, best score first and otherwise in their original order. */
export function searchItems<T>(items: readonly T[], query: string, getText: (item: T) => string): T[] {
  if (query.trim() === "") return [...items];
  return items
    .map((item) => ({ item, score: matchScore(getText(item), query) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
