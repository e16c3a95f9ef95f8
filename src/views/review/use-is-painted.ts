import { useLayoutEffect, useState } from "react";

/** Milliseconds after which a page that paints no frames, such as one in a hidden tab, no longer waits for one. */
const NO_FRAME_MS = 100;

/** Returns false until the frame with what the component has rendered first is painted. `isInitially`: true if nothing waits for that. */
export function useIsPainted(isInitially: boolean): boolean {
  const [isPainted, setIsPainted] = useState(isInitially);
  useLayoutEffect(() => {
    if (isPainted) return;
    const finish = () => setIsPainted(true);
    let timer = setTimeout(finish, NO_FRAME_MS);
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      // The task after the frame's callbacks follows its painting.
      timer = setTimeout(finish);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isPainted]);
  return isPainted;
}
