import { useEffect, useRef, useState, type RefObject } from "react";
import { isModalOpen } from "./use-document-keydown.ts";

/** Returns a function that requests the focus for `target` once the focused element is gone, such as a deleted row and its dialog. */
export function useFocusAfterRemoval(target: RefObject<HTMLElement | null>): () => void {
  const isRequested = useRef(false);
  const [, rerender] = useState(0);
  // Checks after every render, because it is unknown which one removes the row.
  useEffect(() => {
    if (!isRequested.current || isModalOpen()) return;
    isRequested.current = false;
    if (document.activeElement === document.body) target.current?.focus();
  });
  return () => {
    isRequested.current = true;
    rerender((count) => count + 1);
  };
}
