/** Orders records that have names: first those that are called what was searched for, then those that begin with it, then the others, each newest first. */
import { tokenizeForIndex } from "../../../contract/search-tokens.ts";

/** With more matches the order is by time alone, because the names of all of them would have to be read. */
export const MAX_RANKED = 500;
/** Above every id, so that one number is both rank and id. */
const RANK = 2 ** 48;

export interface NamedMatch {
  id: number;
  name: string;
  project_id: number | null;
}
/** Where a record is in the order; results are listed from the highest position down. Of records that are not ranked it is the id. */
export interface Placed {
  id: number;
  position: number;
}

export const isRanked = (position: number): boolean => position >= RANK;

/** Returns the matches in order. Among equal ranks those in the near project come first, and then the newest. */
export function rankByName(matches: readonly NamedMatch[], query: string, nearProjectId: number | null): Placed[] {
  const searched = normalize(query);
  const isNear = ({ project_id }: NamedMatch) => Number(nearProjectId !== null && project_id === nearProjectId);
  return matches
    .map((match) => ({ match, id: match.id, position: rankOf(match.name, searched) * RANK + match.id }))
    .toSorted((a, b) => Math.floor(b.position / RANK) - Math.floor(a.position / RANK) || isNear(b.match) - isNear(a.match) || b.id - a.id)
    .map(({ id, position }) => ({ id, position }));
}

/** Ignores case, accents and what is between words, as the search does. */
const normalize = (text: string): string => tokenizeForIndex(text).join(" ");

function rankOf(name: string, searched: string): number {
  const normalized = normalize(name);
  if (normalized === searched || normalize(name.replace(/\.[^.]+$/, "")) === searched) return 3;
  return normalized.startsWith(searched) ? 2 : 1;
}
