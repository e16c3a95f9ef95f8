import { type RefObject, useEffect } from "react";

/** What shows that readers move by themselves from here on. */
const INPUTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/**
 * Brings the first marked word of `container` into view once `text` is shown; undefined: it is not, or not the text that was searched. Brings it back if
 * other parts of the page, which load later, move it out of view, until the reader does something.
 */
export function useScrollToMark(container: RefObject<HTMLElement | null>, text: string | undefined, query: string): void {
  useEffect(() => {
    const mark = text === undefined || query === "" ? null : container.current?.querySelector("mark");
    if (!mark) return;
    const scroll = () => mark.scrollIntoView({ block: "center" });
    scroll();
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === false) scroll();
    });
    observer.observe(mark);
    const stop = () => observer.disconnect();
    for (const input of INPUTS) addEventListener(input, stop, { once: true, capture: true, passive: true });
    return () => {
      stop();
      for (const input of INPUTS) removeEventListener(input, stop, { capture: true });
    };
  }, [container, text, query]);
}
