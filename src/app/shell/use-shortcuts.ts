import { useEffectEvent, useLayoutEffect } from "react";
import { useMatch, useNavigate } from "react-router";
import { openDialog } from "../dialogs/dialog-store.ts";
import { adjacentProject } from "./rail-sections.ts";
import { useRail } from "./use-rail.ts";

/** Returns whether keys pressed in this element type text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select");
}

/** Handles the keys that work in every view; `ShortcutsDialog` lists them. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const { sections } = useRail();
  const current = useMatch("/projects/:projectId/*")?.params.projectId;

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openDialog({ kind: "palette" });
    } else if (event.key === "?" && !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)) {
      event.preventDefault();
      openDialog({ kind: "shortcuts" });
    } else if (event.altKey && !event.metaKey && !event.ctrlKey && !event.shiftKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      const next = adjacentProject(sections, current === undefined ? undefined : Number(current), event.key === "ArrowUp" ? -1 : 1);
      if (!next) return;
      event.preventDefault();
      void navigate(`/projects/${next.id}/chat`);
    }
  });
  // A layout effect, so that a key pressed at the first paint already counts.
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
