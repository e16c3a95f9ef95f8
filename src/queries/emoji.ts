/** Queries emojibase's data, of which the build contains a copy, which is delivered with the page. */
import { useQuery } from "@tanstack/react-query";
import dataUrl from "emojibase-data/en/data.json?url";
import shortcodesUrl from "emojibase-data/en/shortcodes/iamcal.json?url";
import { fetchPageFile } from "../api/files.ts";

interface EmojibaseEmoji {
  emoji: string;
  /** Lowercase name. */
  label: string;
  tags?: string[];
  /** Variants with one skin tone or, for groups of people, several. */
  skins?: { emoji: string; tone?: number | number[] }[];
  /** The code points without variation selectors. */
  hexcode: string;
  group?: number;
  /** The version of Unicode's emoji that added it. */
  version: number;
}

export interface EmojibaseData {
  emoji: readonly EmojibaseEmoji[];
  /** Slack's names by `hexcode`. */
  shortcodes: Readonly<Record<string, string | readonly string[]>>;
}

/** Loads the data once it is needed, and keeps it; a failed load is repeated by `refetch` or the next need. */
export const useEmojiData = (isNeeded: boolean) =>
  useQuery({
    queryKey: ["emoji"],
    queryFn: async ({ signal }): Promise<EmojibaseData> => {
      const load = async (url: string) => (await fetchPageFile(url, { signal })).json() as Promise<unknown>;
      const [emoji, shortcodes] = await Promise.all([load(dataUrl), load(shortcodesUrl)]);
      return { emoji, shortcodes } as EmojibaseData;
    },
    enabled: isNeeded,
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
  });
