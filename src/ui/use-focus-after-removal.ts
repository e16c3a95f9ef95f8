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
    // A live event can remove the row and its dialog before the response arrives; the focus is then on the document's body or on an area around the target.
    if (document.activeElement?.contains(target.current)) target.current?.focus();
  });
  return () => {
    isRequested.current = true;
    rerender((count) => count + 1);
  };
}
