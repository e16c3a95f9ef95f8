/** Converts emojibase's data to emoji, searches them, and finds out which of them this platform can draw. */
import { matchScore } from "../../lib/search.ts";
import type { EmojibaseData } from "../../queries/emoji.ts";

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

/** Draws with the platform's emoji font. */
export interface Brush {
  /** Returns the width of a text in pixels. */
  measure(text: string): number;
  /** Returns whether a text is drawn in colors of its own instead of the text color. */
  isColored(text: string): boolean;
}

const SIZE_PX = 8;
/** Width of a sequence that is drawn as one emoji, relative to a plain emoji; one drawn in parts is about twice as wide. */
const MAX_RELATIVE_WIDTH = 1.5;
const PLAIN_EMOJI = "😀";

/** Returns a brush that draws on a canvas; null if the browser provides none. */
export function createBrush(): Brush | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE_PX;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.font = `${SIZE_PX}px "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", sans-serif`;
  context.textBaseline = "middle";
  context.fillStyle = "#f0f";
  return {
    measure: (text) => context.measureText(text).width,
    isColored(text) {
      context.clearRect(0, 0, SIZE_PX, SIZE_PX);
      context.fillText(text, 0, SIZE_PX / 2);
      const { data } = context.getImageData(0, 0, SIZE_PX, SIZE_PX);
      return Array.from({ length: SIZE_PX * SIZE_PX }, (_, pixel) => data.subarray(pixel * 4, pixel * 4 + 4)).some(
        ([red = 0, green = 0, blue = 0, alpha = 0]) => alpha > 128 && (green > 40 || red < 200 || blue < 200),
      );
    },
  };
}

/**
 * Returns the emoji that the brush draws as one colored glyph. Fonts add emoji by version, so one emoji decides for its version and one for all country
 * flags, which Windows lacks; sequences such as families are measured one by one. Without a color font, drawn and missing emoji look alike, so all are returned.
 */
export function selectDrawable<T extends { char: string; version: number }>(emoji: readonly T[], brush: Brush | null): readonly T[] {
  if (!brush?.isColored(PLAIN_EMOJI)) return emoji;
  const maxWidth = brush.measure(PLAIN_EMOJI) * MAX_RELATIVE_WIDTH;
  const drawsFlags = brush.isColored("🇪🇺");
  const samples = new Map(emoji.filter(({ char }) => !isSequence(char)).map(({ char, version }) => [version, char]));
  const drawnVersions = [...samples].filter(([, char]) => brush.isColored(char)).map(([version]) => version);
  const newestVersion = Math.max(...drawnVersions);
  return emoji.filter(({ char, version }) => {
    if (version > newestVersion) return false;
    return isFlag(char) ? drawsFlags : brush.measure(char) <= maxWidth;
  });
}

const isSequence = (char: string) => char.includes("\u200D") || isFlag(char);
const isFlag = (char: string) => /^\p{RI}/u.test(char);
