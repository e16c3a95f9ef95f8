/** The parts of a filter that can be taken away one by one, in the order in which they are shown. The search is no part of them: it has its field. */
import type { Shown } from "./url-state.ts";

export type ChipName = "kind" | "status" | "bpm" | "key" | "tag" | "uploader" | "date";

export interface Chip {
  name: ChipName;
  /** The same without it. */
  without(shown: Shown): Shown;
}

const GONE = {
  kind: { kind: null },
  status: { status: [] },
  bpm: { bpmMin: null, bpmMax: null },
  key: { key: null },
  tag: { tag: null },
  uploader: { uploader: null },
  date: { from: null, to: null },
} as const satisfies Record<ChipName, Partial<Shown>>;

export function chipsOf(shown: Shown): Chip[] {
  return (Object.keys(GONE) as ChipName[])
    .filter((name) => Object.entries(GONE[name]).some(([member, none]) => String(shown[member as keyof Shown] ?? "") !== String(none ?? "")))
    .map((name) => ({ name, without: (now) => ({ ...now, ...GONE[name] }) }));
}
