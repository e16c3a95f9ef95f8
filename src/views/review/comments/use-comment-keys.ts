import { useEffect, useEffectEvent } from "react";
import type { CommentsRoom } from "./comments-room.ts";
import { neighborOf } from "./model/current.ts";

/** True where a key belongs to what has the focus. */
const isTaken = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], [role=menu], dialog") !== null;

/** N and P lead to the next comment and the one before, wherever the focus is. M opens the composer; where something plays that is one of its keys. */
export function useCommentKeys({ clock, shown, compose, act }: CommentsRoom): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event) || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (key === "m" && !clock) {
      event.preventDefault();
      compose();
    } else if (clock && (key === "n" || key === "p")) {
      const { position, playing } = clock.state();
      const place = neighborOf(shown, position * 1_000, key === "n" ? 1 : -1, playing);
      const thread = place === null ? undefined : shown.find(({ at }) => at === place);
      if (!thread) return;
      event.preventDefault();
      act.open(thread, { fromList: false });
    }
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
