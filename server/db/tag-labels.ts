/** Extracts the tags that the files view shows and filters by from a version's processing results. */

type ScoredLabels = readonly (readonly [label: string, score: number])[];
interface DetectedTags {
  bpm?: number;
  keys?: readonly string[];
  keyCandidates?: readonly string[];
  genres?: ScoredLabels;
  moods?: ScoredLabels;
  instruments?: ScoredLabels;
}

/** `json`: a version's `tags`, whose lists contain only labels above their threshold. Returns each label once, most certain first. */
export function parseTagLabels(json: string | null): { bpm: number; key: string | null; unsureKey: string | null; tags: string[] } {
  const detected = (json === null ? {} : JSON.parse(json)) as DetectedTags;
  const scored = [...(detected.genres ?? []), ...(detected.moods ?? []), ...(detected.instruments ?? [])].toSorted((a, b) => b[1] - a[1]);
  const key = detected.keys?.[0] ?? null;
  const unsureKey = key === null ? (detected.keyCandidates?.[0] ?? null) : null;
  return { bpm: detected.bpm ?? 0, key, unsureKey, tags: [...new Set(scored.map(([label]) => label))] };
}
