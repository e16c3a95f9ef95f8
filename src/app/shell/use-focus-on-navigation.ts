import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Maps a path to its view: another message, folder, endpoint or delivery is the same view, and the latter three move the focus themselves. */
const viewOf = (pathname: string) => pathname.replace(/^(\/projects\/\d+\/(?:chat|files)|\/settings\/webhooks)\/.*$/, "$1");

/** Moves the focus to the heading of a newly opened view, unless the view has set the focus itself. */
export function useFocusOnNavigation(): void {
  const view = viewOf(useLocation().pathname);
  const previousView = useRef(view);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    // The view's own effects have run one frame later.
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById("content");
      const isFocusTaken = document.activeElement?.matches("input, textarea, select, [data-entry]") && main?.contains(document.activeElement);
      if (!main || isFocusTaken || document.querySelector("dialog[open]")) return;
      // On a phone the list of projects is a view with a heading outside `main`.
      const heading = [...document.querySelectorAll<HTMLElement>("h1")].find((element) => element.checkVisibility());
      (heading ?? main).focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [view]);
}
