import { useLayoutEffect, useState, type RefObject } from "react";

/** Tracks the caret of a text field and moves it after the text changes. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [caret, setCaret] = useState(text.length);
  const [pendingCaret, setPendingCaret] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (pendingCaret === null) return;
    field.current!.setSelectionRange(pendingCaret, pendingCaret);
    setPendingCaret(null);
  }, [field, pendingCaret]);
  return {
    caret: Math.min(caret, text.length),
    trackCaret: setCaret,
    moveCaret(at: number) {
      setCaret(at);
      setPendingCaret(at);
      field.current?.focus();
    },
  };
}
