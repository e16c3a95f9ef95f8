import { useEffect, useEffectEvent, useState } from "react";

/** What has not come back after so long was refused or overtaken, in milliseconds. */
const ECHO_MS = 10_000;

/**
 * What is typed into a field while its value follows a little later, in milliseconds. A value that changes elsewhere is shown at once.
 * `commit` takes over what stands there now, and so does leaving the page's part in which the field is.
 */
export function useDebouncedInput(value: string, onValue: (text: string) => void, delayMs: number) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // What was told and has not come back yet: it comes back later, and must not undo what has been typed since.
  const [pendingValues, setPendingValues] = useState<readonly string[]>([]);
  if (value !== lastValue) {
    setLastValue(value);
    const index = pendingValues.indexOf(value);
    // What somebody else has set has overtaken all that was told.
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
