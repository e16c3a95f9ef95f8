/** What stands in the search's fields while the address, which follows later, still tells of something earlier. */
import { paramsOf, searchedIn, type Searched } from "./search-state.ts";

export interface SearchWords {
  /** As the fields show it. */
  wish: Searched;
  /** What the address told last. */
  seen: string;
  /** What was asked for and has not come into the address yet, oldest first. */
  sent: readonly string[];
}

/** As the address will tell it. */
const keyOf = (searched: Searched) => paramsOf(searchedIn(new URLSearchParams(paramsOf(searched))) ?? searched);

export const wordsOf = (searched: Searched): SearchWords => ({ wish: searched, seen: keyOf(searched), sent: [] });

/** The address tells something: what was asked for here leaves the fields alone, anything else (going back, a link) fills them. */
export function follow(words: SearchWords, searched: Searched): SearchWords {
  const key = keyOf(searched);
  if (key === words.seen) return words;
  const index = words.sent.indexOf(key);
  return index === -1 ? wordsOf(searched) : { ...words, seen: key, sent: words.sent.slice(index + 1) };
}

/** The fields are being asked for. */
export function ask(words: SearchWords, wish: Searched): SearchWords {
  return isAsked({ ...words, wish }) ? { ...words, wish } : { ...words, wish, sent: [...words.sent, keyOf(wish)] };
}

/** Whether what stands in the fields is in the address, or on its way there. */
export const isAsked = ({ wish, seen, sent }: SearchWords): boolean => keyOf(wish) === (sent.at(-1) ?? seen);
