/** Picks the reader's English variant for dates and times, if the browser names one; all texts are English. */
export function pickLanguage(preferred: readonly string[]): string {
  return preferred.find((tag) => /^en(-|$)/i.test(tag)) ?? "en-GB";
}

export const language = pickLanguage(typeof navigator === "undefined" ? [] : (navigator.languages ?? []));
