import { useSyncExternalStore } from "react";

/** Narrower than the first breakpoint of the styles (`tablet`). */
export const PHONE = "(max-width: 719.98px)";

/** Whether a media query holds now. */
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
