import { setMediaHandler } from "./media-session.ts";
import { hasNext, type Queue } from "./queue.ts";

/** Lets the system's "next" and "previous" keys move in the queue while there is one, until the returned function is called. */
export function connectQueueKeys(queue: Pick<Queue, "get" | "subscribe" | "next" | "previous">): () => void {
  if (typeof navigator === "undefined" || !("mediaSession" in navigator)) return () => {};
  const session = navigator.mediaSession;
  const setHandlers = () => {
    const state = queue.get();
    setMediaHandler(session, "previoustrack", state.queue === null ? null : () => queue.previous());
    setMediaHandler(session, "nexttrack", hasNext(state) ? () => queue.next() : null);
  };
  return queue.subscribe(setHandlers);
}
