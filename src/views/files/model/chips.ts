/** Lists the active filters that can be removed one by one, in display order. The search is not among them, because it has its own field. */
import type { UrlState } from "./url-state.ts";

export type ChipName = "kind" | "status" | "bpm" | "key" | "tag" | "uploader" | "date";

export interface Chip {
  name: ChipName;
  /** Returns the state without this filter. */
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
