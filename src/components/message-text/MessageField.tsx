/** The text field of messages and comments: its height, keys, hint and focus. */
import { type ComponentPropsWithoutRef, type KeyboardEvent, type RefObject, useEffect } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import { isComposing, useAutoHeight } from "../../ui/text-input.ts";

interface MessageFieldProps extends Omit<ComponentPropsWithoutRef<"textarea">, "value"> {
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  text: string;
  /** Pixels; longer text scrolls inside the field. */
  maxHeight: number;
  isInvalid: boolean;
}

const FIELD_CLASS = "min-w-0 flex-1 resize-none bg-transparent py-1.5 outline-none placeholder:truncate max-tablet:text-lg";

export function MessageField({ field, label, text, maxHeight, isInvalid, className = FIELD_CLASS, ...attributes }: MessageFieldProps) {
  useAutoHeight(field, text, maxHeight);
  return (
    <textarea {...attributes} ref={field} rows={1} dir="auto" value={text} aria-label={label} aria-invalid={isInvalid || undefined} className={className} />
  );
}

interface FieldKeys {
  /** Handles a key first and returns whether it did. */
  onKey?(event: KeyboardEvent): boolean;
  /** Returns whether Escape had an effect. */
  onEscape(): boolean;
}

/** Handles a key of a text field: Enter submits its form and Shift+Enter inserts a line break. Ignores keys that an input method uses. */
export function handleFieldKey(event: KeyboardEvent<HTMLTextAreaElement>, { onKey, onEscape }: FieldKeys): void {
  if (isComposing(event)) return;
  let isHandled = onKey?.(event) === true;
  if (!isHandled && event.key === "Escape") isHandled = onEscape();
  if (!isHandled && event.key === "Enter" && !event.shiftKey) {
    isHandled = true;
    event.currentTarget.form?.requestSubmit();
  }
  if (isHandled) event.preventDefault();
}

/** Returns how many characters are left or too many; null while there are plenty. */
export function formatRemaining(remainingCharacters: number | null): string | null {
  if (remainingCharacters === null) return null;
  return remainingCharacters < 0 ? t("tooLong", { count: -remainingCharacters }) : t("charactersLeft", { count: remainingCharacters });
}

export function FieldHint({ id, message, isError, className }: { id: string; message: string | null; isError: boolean; className: string }) {
  if (message === null) return null;
  return (
    <p id={id} role="status" className={classNames(className, "pt-1 text-xs", isError ? "text-danger" : "text-text-3")}>
      {message}
    </p>
  );
}

/**
 * Focuses a text field when its form opens, with the caret at the end, and when it closes restores the previous focus, or else focuses the comment that
 * the field is in. `scrolls`: also scrolls the field into view.
 */
export function useReturnFocus(field: RefObject<HTMLTextAreaElement | null>, { scrolls = false } = {}): void {
  useEffect(() => {
    const previousFocus = document.activeElement;
    const textarea = field.current!;
    textarea.focus({ preventScroll: true });
    textarea.setSelectionRange(textarea.value.length, textarea.value.length);
    if (scrolls) textarea.scrollIntoView({ block: "nearest" });
    const row = textarea.closest("article");
    return () => {
      if (document.activeElement !== document.body) return;
      const target = previousFocus instanceof HTMLElement && previousFocus !== document.body && previousFocus.isConnected ? previousFocus : row;
      target?.focus({ preventScroll: true });
    };
  }, [field, scrolls]);
}
