import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { charactersLeft, cleanDraft } from "../../../components/message-text/draft.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/comments.ts";
import { isComposing, useAutoHeight } from "../../../ui/text-input.ts";

interface Props {
  label: string;
  placeholder?: string;
  text: string;
  onChange(text: string): void;
  /** Receives the text to send, which is never empty. */
  onSubmit(body: string): void;
  onEscape(): void;
  onBlur?(): void;
  /** Handles additional keys. Returns whether the key was handled. */
  onKey?(event: KeyboardEvent): boolean;
  errorMessage?: string | null;
  field?: RefObject<HTMLTextAreaElement | null>;
  /** Content before and after the text. */
  leading?: ReactNode;
  trailing?: ReactNode;
}

/** Maximum height in pixels. Longer text scrolls inside the text area. */
const MAX_HEIGHT_PX = 240;

/** A text area for comments. Enter submits and Shift+Enter inserts a line break, as in the chat. */
export function CommentTextArea({ label, placeholder, text, errorMessage = null, field, leading, trailing, ...handlers }: Props) {
  const ownRef = useRef<HTMLTextAreaElement>(null);
  const inputRef = field ?? ownRef;
  const hintId = useId();
  const remainingCharacters = charactersLeft(text);
  const isTooLong = remainingCharacters !== null && remainingCharacters < 0;
  const message =
    errorMessage ??
    (remainingCharacters === null ? null : isTooLong ? t("tooLong", { count: -remainingCharacters }) : t("charactersLeft", { count: remainingCharacters }));
  useAutoHeight(inputRef, text, MAX_HEIGHT_PX);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    // Rows and the page have their own key handlers, which must not run while the user types.
    event.stopPropagation();
    if (handlers.onKey?.(event)) return event.preventDefault();
    if (event.key === "Escape") {
      event.preventDefault();
      handlers.onEscape();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const body = toSendableBody(text);
      if (body !== null) handlers.onSubmit(body);
    }
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-11 items-center gap-2.5 rounded-md border border-field-line bg-bg px-3 py-1 focus-within:border-text-3">
        {leading}
        <textarea
          ref={inputRef}
          rows={1}
          dir="auto"
          value={text}
          onChange={({ target }) => handlers.onChange(target.value)}
          onKeyDown={onKeyDown}
          onBlur={handlers.onBlur}
          aria-label={label}
          aria-describedby={message === null ? undefined : hintId}
          aria-invalid={isTooLong || errorMessage !== null || undefined}
          placeholder={placeholder}
          enterKeyHint="send"
          autoComplete="off"
          className="min-w-0 flex-1 resize-none bg-transparent py-1.5 outline-none placeholder:truncate max-tablet:text-lg"
        />
        {trailing}
      </div>
      {message !== null && (
        <p id={hintId} role="status" className={classNames("px-1 pt-1 text-xs", isTooLong || errorMessage !== null ? "text-danger" : "text-text-3")}>
          {message}
        </p>
      )}
    </div>
  );
}

/** Returns the cleaned text to send, or null if it is empty or too long. */
export function toSendableBody(text: string): string | null {
  const body = cleanDraft(text);
  return body === "" || (charactersLeft(text) ?? 0) < 0 ? null : body;
}

/** Focuses a text area when it opens, with the caret at the end, and restores the previous focus when it closes. */
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
