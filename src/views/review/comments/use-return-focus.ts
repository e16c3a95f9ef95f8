import { useEffect, type RefObject } from "react";

/** Focuses a text area when it opens, with the caret at the end, and restores the previous focus when it closes. */
export function useReturnFocus(textareaRef: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const previousFocus = document.activeElement;
    const textarea = textareaRef.current!;
    textarea.focus({ preventScroll: true });
    textarea.setSelectionRange(textarea.value.length, textarea.value.length);
    textarea.scrollIntoView({ block: "nearest" });
    const row = textarea.closest("article");
    return () => {
      if (document.activeElement !== document.body) return;
      const target = previousFocus instanceof HTMLElement && previousFocus !== document.body && previousFocus.isConnected ? previousFocus : row;
      target?.focus({ preventScroll: true });
    };
  }, [textareaRef]);
}
