/** What the files view shows and filters by of the tags that processing found. */

type Scored = readonly (readonly [label: string, score: number])[];
interface FoundTags {
  bpm?: number;
  keys?: readonly string[];
  genres?: Scored;
  moods?: Scored;
  instruments?: Scored;
}

/** `json`: a version's `tags`. Lists hold only what passed its threshold; each label once, the surest first. */
export function labelsIn(json: string | null): { bpm: number; key: string | null; tags: string[] } {
  const found = (json === null ? {} : JSON.parse(json)) as FoundTags;
  const scored = [...(found.genres ?? []), ...(found.moods ?? []), ...(found.instruments ?? [])].toSorted((a, b) => b[1] - a[1]);
  return { bpm: found.bpm ?? 0, key: found.keys?.[0] ?? null, tags: [...new Set(scored.map(([label]) => label))] };
}
