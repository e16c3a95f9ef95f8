/** The texts are English; dates and times follow the reader's own English where the browser names one. */
export function pickLanguage(preferred: readonly string[]): string {
  return preferred.find((tag) => /^en(-|$)/i.test(tag)) ?? "en-GB";
}

export const language = pickLanguage(typeof navigator === "undefined" ? [] : (navigator.languages ?? []));
