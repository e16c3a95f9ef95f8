/** The text field of messages and comments with its height, keys, hint and focus, and the form that edits them in place. */
import { type ComponentPropsWithoutRef, type KeyboardEvent, type RefObject, useEffect, type ReactNode } from "react";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import { isComposing, useAutoHeight, submitTo } from "../../ui/text-input.ts";
import { Button } from "../../ui/Button.tsx";

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

interface EditButtonsProps {
  /** True if the record has been deleted meanwhile: its text can then only be copied or discarded. */
  isDeleted: boolean;
  isSaving?: boolean;
  /** Explains the keys or a problem, before the buttons. */
  hint?: ReactNode;
  /** Undefined without text. */
  onCopyText: (() => void) | undefined;
  /** Closes the form without saving. */
  onCancel(): void;
}

interface EditFormProps extends EditButtonsProps {
  className: string;
  onSave(): void;
  children: ReactNode;
}

export function InlineEditForm({ className, onSave, children, ...buttonProps }: EditFormProps) {
  return (
    <form className={`max-w-160 pt-1 ${className}`} onSubmit={submitTo(onSave)}>
      {children}
      <EditButtons {...buttonProps} />
    </form>
  );
}

/** Renders Save and Cancel, or Copy text and Discard once the record is deleted. */
export function EditButtons({ isDeleted, isSaving = false, hint, onCopyText, onCancel }: EditButtonsProps) {
  return (
    <div className={hint === undefined ? "mt-1.5 flex justify-end gap-2" : "mt-1 flex flex-wrap items-center gap-2"}>
      {hint}
      {isDeleted && onCopyText && (
        <Button size="sm" onClick={onCopyText}>
          {t("copyText")}
        </Button>
      )}
      <Button size="sm" onClick={onCancel}>
        {t(isDeleted ? "discardText" : "cancel")}
      </Button>
      {!isDeleted && (
        <Button type="submit" size="sm" variant="primary" pending={isSaving}>
          {t("save")}
        </Button>
      )}
    </div>
  );
}
