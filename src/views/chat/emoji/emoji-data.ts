/** Converts emojibase's data to emoji, and searches them. */
import { matchScore } from "../../../lib/search.ts";
import type { EmojibaseData } from "../../../queries/emoji.ts";

export interface Emoji {
  /** The form without optional variation selectors, which the service requires of a reaction. */
  char: string;
  /** Lowercase name: "thumbs up". */
  name: string;
  /** The name, shortcodes and further search terms. */
  keywords: string;
  /** Slack's names for it, with spaces: "raised hands". */
  shortcodes: readonly string[];
  /** The variants from light to dark; empty if it has no skin tone. */
  tones: readonly string[];
  group: number;
  /** The version of Unicode's emoji that added it. */
  version: number;
}

/** Emojibase's number for skin tones and hair styles, which are not offered alone. */
const COMPONENT_GROUP = 2;

const removeSelector = (char: string) => char.replace(/^(\p{Emoji_Presentation})\uFE0F$/u, "$1");
const toWords = (shortcode: string) => shortcode.replace(/[_:]+/g, " ").trim().toLowerCase();

/** Returns the emoji in their usual order. */
export function parseEmoji({ emoji: all, shortcodes }: EmojibaseData): Emoji[] {
  return all.flatMap(({ emoji, label, tags = [], skins = [], hexcode, group = COMPONENT_GROUP, version }) => {
    if (group === COMPONENT_GROUP) return [];
    const names = [shortcodes[hexcode] ?? []].flat().map(toWords);
    const tones = skins.filter(({ tone }) => typeof tone === "number").map((skin) => skin.emoji);
    return { char: removeSelector(emoji), name: label, keywords: [label, ...names, ...tags].join(" "), shortcodes: names, tones, group, version };
  });
}

/** Returns the emoji that match the query, best first; underscores and colons count as spaces, so `:thumbs_up` works. */
export function findEmoji(emoji: readonly Emoji[], query: string, limit = Infinity): Emoji[] {
  const words = toWords(query);
  return emoji
    .map((item) => ({ item, score: item.shortcodes.includes(words) ? Infinity : matchScore(item.keywords, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
