/** The texts are English; dates and times follow the reader's own English where the browser names one. */
export function languageOf(preferred: readonly string[]): string {
  return preferred.find((tag) => /^en(-|$)/i.test(tag)) ?? "en-GB";
}

export const language = languageOf(typeof navigator === "undefined" ? [] : (navigator.languages ?? []));
