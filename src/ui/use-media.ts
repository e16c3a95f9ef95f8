import { useSyncExternalStore } from "react";

/** Viewports narrower than the first breakpoint of the styles (`tablet`). */
export const PHONE = "(max-width: 719.98px)";

/** Returns whether a media query matches now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
