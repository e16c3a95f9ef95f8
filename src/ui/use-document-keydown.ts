import { useEffectEvent, useLayoutEffect } from "react";

/** Handles keys wherever the focus is, from the first paint on: a layout effect runs before it. */
export function useDocumentKeydown(onKeyDown: (event: KeyboardEvent) => void): void {
  const handleKey = useEffectEvent(onKeyDown);
  useLayoutEffect(() => {
    document.addEventListener("keydown", handleKey);
    return () => document.removeEventListener("keydown", handleKey);
  }, []);
}
