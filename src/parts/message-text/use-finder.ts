/** Loads the link finder with the first text that may have a link; until then, texts stay plain. */
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
      // Without a network the text stays readable, and the next text retries.
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

/** Returns the link finder for this text; null until it is loaded, or if the text cannot have links. */
export function useLinkFinder(text: string): LinkFinder | null {
  const isNeeded = mayHaveLinks(text);
  return useSyncExternalStore(isNeeded ? subscribe : subscribeNever, () => (isNeeded ? linkFinder : null));
}
