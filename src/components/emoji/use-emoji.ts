/** Provides the emoji that this platform can draw, and remembers the chosen skin tone and the recently chosen emoji of this browser. */
import { useMemo } from "react";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { useEmojiData } from "../../queries/emoji.ts";
import { createBrush, type Emoji, parseEmoji, selectDrawable } from "./emoji-data.ts";

/** Loads the emoji once they are needed. */
export function useEmoji(isNeeded: boolean) {
  const { data, isError, refetch } = useEmojiData(isNeeded);
  const emoji = useMemo(() => (data && isNeeded ? selectDrawable(parseEmoji(data), createBrush()) : null), [data, isNeeded]);
  return { emoji, hasFailed: isError, retry: () => void refetch() };
}

const TONE_KEY = "skin-tone";
/** Emojibase's skin tones from light to dark, after the neutral one. */
export const SKIN_TONES = ["", "🏻", "🏼", "🏽", "🏾", "🏿"] as const;

/** Returns the index of the chosen skin tone in `SKIN_TONES`. */
export function getSkinTone(): number {
  const tone = Number(getPersisted(TONE_KEY));
  return SKIN_TONES[tone] === undefined ? 0 : tone;
}

export const setSkinTone = (tone: number): void => setPersisted(TONE_KEY, tone === 0 ? null : `${tone}`);

/** Returns the emoji in a skin tone if it has one. */
export const applyTone = ({ char, tones }: Emoji, tone: number): string => tones[tone - 1] ?? char;

const RECENT_KEY = "recent-emoji";
const MAX_RECENT = 16;

export const getRecentEmoji = (): string[] => (getPersisted(RECENT_KEY) ?? "").split(" ").filter((char) => /^\p{RGI_Emoji}$/v.test(char));

export function addRecentEmoji(char: string): void {
  const others = getRecentEmoji().filter((recent) => recent !== char);
  setPersisted(RECENT_KEY, [char, ...others].slice(0, MAX_RECENT).join(" "));
}
