import { useEffect, useEffectEvent } from "react";
import type { CommentsContextValue } from "./comments-room.ts";
import { adjacentStart } from "./model/current.ts";

/** True if the focused element needs the key itself. */
const belongsToFocusedElement = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=menu], dialog") !== null;

/**
 * N and P jump to the next and previous comment, wherever the focus is. M opens the composer only without a clock,
 * because the transport keys handle M otherwise.
 */
export function useCommentKeys({ clock, visibleThreads, compose, actions }: CommentsContextValue): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || belongsToFocusedElement(event) || document.querySelector("dialog[open]"))
      return;
    const key = event.key.toLowerCase();
    if (key === "m" && !clock) {
      event.preventDefault();
      compose();
    } else if (clock && (key === "n" || key === "p")) {
      const { position, playing } = clock.state();
      const targetMs = adjacentStart(visibleThreads, position * 1_000, key === "n" ? 1 : -1, playing);
      const thread = targetMs === null ? undefined : visibleThreads.find(({ startMs }) => startMs === targetMs);
      if (!thread) return;
      event.preventDefault();
      actions.open(thread, { fromList: false });
    }
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
