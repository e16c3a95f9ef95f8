import { useEffect, type RefObject } from "react";

/** A field that opens takes the focus, its words' end first, and gives it back to where one was. */
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
