/** The parts of a filter that can be taken away one by one, in the order in which they are shown. The search is no part of them: it has its field. */
import type { UrlState } from "./url-state.ts";

export type ChipName = "kind" | "status" | "bpm" | "key" | "tag" | "uploader" | "date";

export interface Chip {
  name: ChipName;
  /** The same without it. */
  without(urlState: UrlState): UrlState;
}

const CLEARED_FIELDS = {
  kind: { kind: null },
  status: { status: [] },
  bpm: { bpmMin: null, bpmMax: null },
  key: { key: null },
  tag: { tag: null },
  uploader: { uploader: null },
  date: { from: null, to: null },
} as const satisfies Record<ChipName, Partial<UrlState>>;

export function getChips(urlState: UrlState): Chip[] {
  return (Object.keys(CLEARED_FIELDS) as ChipName[])
    .filter((name) =>
      Object.entries(CLEARED_FIELDS[name]).some(([member, clearedValue]) => String(urlState[member as keyof UrlState] ?? "") !== String(clearedValue ?? "")),
    )
    .map((name) => ({ name, without: (current) => ({ ...current, ...CLEARED_FIELDS[name] }) }));
}
