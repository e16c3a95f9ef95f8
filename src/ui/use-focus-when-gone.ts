import { useEffect, useRef, useState, type RefObject } from "react";

/** Answers the way to ask that the focus goes to `target` once what holds it is gone: a deleted row, with the dialog that asked. */
export function useFocusWhenGone(target: RefObject<HTMLElement | null>): () => void {
  const wished = useRef(false);
  const [, draw] = useState(0);
  // After every drawing: nobody knows in which one the row goes.
  useEffect(() => {
    if (!wished.current || document.querySelector("dialog[open]")) return;
    wished.current = false;
    if (document.activeElement === document.body) target.current?.focus();
  });
  return () => {
    wished.current = true;
    draw((count) => count + 1);
  };
}
