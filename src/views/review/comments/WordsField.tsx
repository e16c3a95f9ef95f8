import { useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/comments.ts";
import { charactersLeft } from "../../../parts/message-text/draft.ts";
import { isComposing } from "../../../ui/composing.ts";
import { useAutoHeight } from "../../../ui/use-grown-height.ts";
import { toSendableBody } from "./model/ready.ts";

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
        <p id={hintId} role="status" className={classes("px-1 pt-1 text-xs", isTooLong || errorMessage !== null ? "text-danger" : "text-text-3")}>
          {message}
        </p>
      )}
    </div>
  );
}
