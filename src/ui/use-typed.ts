import { useEffect, useEffectEvent, useState } from "react";

/** Milliseconds after which an emitted value that has not come back counts as rejected or overwritten. */
const ECHO_MS = 10_000;

/**
 * Manages a text input whose value is emitted `delayMs` milliseconds after the last change. A value that changes elsewhere shows immediately.
 * `commit` emits at once, and so does unmounting.
 */
export function useDebouncedInput(value: string, onValue: (text: string) => void, delayMs: number) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // Emitted values that have not come back as `value` yet; they arrive later and must not undo newer typing.
  const [pendingValues, setPendingValues] = useState<readonly string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const index = pendingValues.indexOf(value);
    // A value set elsewhere supersedes all emitted ones.
    setPendingValues(index < 0 ? [] : pendingValues.slice(index + 1));
    if (index < 0) setText(value);
  }
  const latest = pendingValues.at(-1) ?? value;
  const emit = (next: string) => {
    if (next.trim() === latest.trim()) return;
    setPendingValues([...pendingValues, next.trim()]);
    onValue(next.trim());
  };
  const emitLater = useEffectEvent(() => emit(text));
  useEffect(() => {
    const timer = setTimeout(() => emitLater(), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  useEffect(() => () => emitLater(), []);
  useEffect(() => {
    if (pendingValues.length === 0) return;
    const timer = setTimeout(() => setPendingValues([]), ECHO_MS);
    return () => clearTimeout(timer);
  }, [pendingValues]);
  return {
    text,
    setText,
    commit(next = text) {
      setText(next);
      emit(next);
    },
  };
}
