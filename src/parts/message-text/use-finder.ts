/** What finds links is loaded with the first text that may have one; until then the text is plain. */
import { useSyncExternalStore } from "react";
import type { Segment } from "../../../contract/links.ts";
import { mayHaveLinks } from "../../../contract/may-have-links.ts";

type Finder = (text: string) => Segment[];

let finder: Finder | null = null;
let loading = false;
const listeners = new Set<() => void>();

function load(): void {
  if (finder || loading) return;
  loading = true;
  import("../../../contract/links.ts").then(
    (module) => {
      finder = module.segmentsOf;
      for (const listener of listeners) listener();
    },
    () => {
      // Without network: the text stays readable, and the next one tries again.
      loading = false;
    },
  );
}

function subscribe(listener: () => void): () => void {
  load();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
const never = () => () => {};

/** What finds links in this text, once it is loaded; null while it is not, and where there is nothing to find. */
export function useFinder(text: string): Finder | null {
  const likely = mayHaveLinks(text);
  return useSyncExternalStore(likely ? subscribe : never, () => (likely ? finder : null));
}
