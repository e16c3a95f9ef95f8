/** Helpers of text fields and forms: IME composition, automatic height, debounced input and submission. */
import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";

/** Key code of keys that an input method handles, in browsers that do not set `isComposing`. */
const COMPOSING_KEY = 229;

/** Milliseconds after which an emitted value that has not come back counts as rejected or overwritten. */
const ECHO_MS = 10_000;

/** Returns whether an input method is using the key to compose a character, so that Enter must not submit. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === COMPOSING_KEY;

/** Makes a text field as tall as its text, up to `maxHeight` pixels; a longer text scrolls inside. */
export function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, maxHeight: number): void {
  useLayoutEffect(() => resizeToContent(field.current!, maxHeight), [field, text, maxHeight]);
}

function resizeToContent(field: HTMLTextAreaElement, maxHeight: number): void {
  const parent = field.parentElement!;
  // Keep the parent's height while measuring, so that the timeline above does not grow for a moment and lose its scroll position.
  parent.style.minHeight = `${parent.offsetHeight}px`;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, maxHeight)}px`;
  field.style.overflowY = field.scrollHeight > maxHeight ? "auto" : "hidden";
  parent.style.minHeight = "";
}

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

/** Returns a form's submit handler that runs an action instead of loading another page. */
export const submitTo = (action: () => void) => (event: SyntheticEvent) => {
  event.preventDefault();
  action();
};
