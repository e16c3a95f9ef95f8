/** Mentions in texts, which contain them as `<@7>`. */

/** Removes a mention that the end of an excerpt cuts off. */
export const withoutCutMention = (excerpt: string): string => excerpt.replace(/<(@\d*)?$/, "");
