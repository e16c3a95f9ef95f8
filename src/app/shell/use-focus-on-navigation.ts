import { useEffect, useLayoutEffect, useRef } from "react";
import { useLocation } from "react-router";
import { focusHeading } from "../../ui/focus-heading.ts";
import { isModalOpen } from "../../ui/use-document-keydown.ts";

/** Returns the part of a path that identifies the view. Messages, folders, endpoints and deliveries open within a view; all but messages set the focus. */
export const viewOf = (pathname: string) => pathname.replace(/^(\/projects\/\d+\/(?:chat|files)|\/settings\/webhooks)\/(?!deleted$).*$/, "$1");

/** Moves the focus to the heading of a newly opened view, unless the view or the user has set the focus meanwhile. */
export function useFocusOnNavigation(): void {
  const view = viewOf(useLocation().pathname);
  const previousView = useRef(view);
  const focusedAtCommit = useRef<Element>(null);
  useLayoutEffect(() => {
    focusedAtCommit.current = document.activeElement;
  }, [view]);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    // Wait one frame for the view's own effects, which may set the focus.
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById("content");
      const focused = document.activeElement;
      const isFocusTaken =
        main?.contains(focused) && (focused !== focusedAtCommit.current || focused?.matches("input, textarea, [aria-haspopup=listbox], [data-entry]"));
      if (!main || isFocusTaken || isModalOpen()) return;
      focusHeading();
    });
    return () => cancelAnimationFrame(frame);
  }, [view]);
}
