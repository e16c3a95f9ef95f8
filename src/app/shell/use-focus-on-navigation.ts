import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Another message of the same chat is the same view; so is another folder, endpoint or delivery, whose page moves the focus itself. */
const viewOf = (pathname: string) => pathname.replace(/^(\/projects\/\d+\/(?:chat|files)|\/settings\/webhooks)\/.*$/, "$1");

/** Moves the focus to the heading of the view that was gone to, unless the view has put it somewhere itself. */
export function useFocusOnNavigation(): void {
  const view = viewOf(useLocation().pathname);
  const previousView = useRef(view);
  useEffect(() => {
    if (previousView.current === view) return;
    previousView.current = view;
    // One frame later the view's own effects have run.
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById("content");
      const isFocusTaken = document.activeElement?.matches("input, textarea, select, [data-entry]") && main?.contains(document.activeElement);
      if (!main || isFocusTaken || document.querySelector("dialog[open]")) return;
      // On a phone the list of projects is a view of its own, with a heading outside `main`.
      const heading = [...document.querySelectorAll<HTMLElement>("h1")].find((element) => element.checkVisibility());
      (heading ?? main).focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [view]);
}
