import { useEffect, type RefObject } from "react";

/** A field that opens takes the focus, its words' end first, and gives it back to where one was. */
export function useReturnFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const own = field.current!;
    own.focus({ preventScroll: true });
    own.setSelectionRange(own.value.length, own.value.length);
    own.scrollIntoView({ block: "nearest" });
    const row = own.closest("article");
    return () => {
      if (document.activeElement !== document.body) return;
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : row;
      back?.focus({ preventScroll: true });
    };
  }, [field]);
}
