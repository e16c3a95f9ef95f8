/** Hooks that follow the size of the viewport and of elements. */
import { useLayoutEffect, useState, useSyncExternalStore } from "react";

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

/** Returns the element's width in CSS pixels, known before the first paint. */
export function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observed = element.current!;
    setWidth(observed.clientWidth);
    const observer = new ResizeObserver(() => setWidth(observed.clientWidth));
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
