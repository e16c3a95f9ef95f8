/** What finds links is loaded with the first text that may have one; until then the text is plain. */
import { useSyncExternalStore } from "react";
import type { Segment } from "../../../contract/links.ts";
import { mayHaveLinks } from "../../../contract/may-have-links.ts";

type LinkFinder = (text: string) => Segment[];

let linkFinder: LinkFinder | null = null;
let loading = false;
const listeners = new Set<() => void>();

function load(): void {
  if (linkFinder || loading) return;
  loading = true;
  import("../../../contract/links.ts").then(
    (module) => {
      linkFinder = module.segmentText;
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
const subscribeNever = () => () => {};

/** What finds links in this text, once it is loaded; null while it is not, and where there is nothing to find. */
export function useLinkFinder(text: string): LinkFinder | null {
  const isNeeded = mayHaveLinks(text);
  return useSyncExternalStore(isNeeded ? subscribe : subscribeNever, () => (isNeeded ? linkFinder : null));
}
