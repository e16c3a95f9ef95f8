import { useEffect, useRef, useState, type RefObject } from "react";

/** Answers the way to ask that the focus goes to `target` once what holds it is gone: a deleted row, with the dialog that asked. */
export function useFocusAfterRemoval(target: RefObject<HTMLElement | null>): () => void {
  const isRequested = useRef(false);
  const [, rerender] = useState(0);
  // After every drawing: nobody knows in which one the row goes.
  useEffect(() => {
    if (!isRequested.current || document.querySelector("dialog[open]")) return;
    isRequested.current = false;
    if (document.activeElement === document.body) target.current?.focus();
  });
  return () => {
    isRequested.current = true;
    rerender((count) => count + 1);
  };
}
