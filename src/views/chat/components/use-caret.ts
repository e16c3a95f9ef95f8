import { useLayoutEffect, useState, type RefObject } from "react";

/** Where the caret stands in a text field, and the way to put it somewhere once the text has changed. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [caret, setCaret] = useState(text.length);
  const [wanted, setWanted] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (wanted === null) return;
    field.current!.setSelectionRange(wanted, wanted);
    setWanted(null);
  }, [field, wanted]);
  return {
    caret: Math.min(caret, text.length),
    moved: setCaret,
    put(at: number) {
      setCaret(at);
      setWanted(at);
      field.current?.focus();
    },
  };
}
