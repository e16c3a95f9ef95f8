import { type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { FieldHint, formatRemaining, handleFieldKey, MessageField } from "../../../components/message-text/MessageField.tsx";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import { isComposing } from "../../../ui/text-input.ts";

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
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
  /** Content before and after the text. */
  leading?: ReactNode;
  trailing?: ReactNode;
}

/** Maximum height in pixels. Longer text scrolls inside the text area. */
const MAX_HEIGHT_PX = 240;

/** A text area for comments. Enter submits and Shift+Enter inserts a line break, as in the chat. */
export function CommentTextArea({ field, label, placeholder, text, errorMessage = null, leading, trailing, ...handlers }: Props) {
  const hintId = useId();
  const { body, isTooLong, isReady, remainingCharacters } = checkText({ text });
  const message = errorMessage ?? formatRemaining(remainingCharacters);
  const isInvalid = isTooLong || errorMessage !== null;

  const onKeyDown = (event: KeyboardEvent) => {
    // Rows and the page have their own key handlers, which must not run while the user types.
    if (!isComposing(event)) event.stopPropagation();
    handleFieldKey(event, {
      onKey: handlers.onKey,
      onEscape() {
        handlers.onEscape();
        return true;
      },
      onSubmit: () => isReady && handlers.onSubmit(body),
    });
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-11 items-center gap-2.5 rounded-md border border-field-line bg-bg px-3 py-1 focus-within:border-text-3">
        {leading}
        <MessageField
          field={field}
          label={label}
          text={text}
          maxHeight={MAX_HEIGHT_PX}
          isInvalid={isInvalid}
          onChange={({ target }) => handlers.onChange(target.value)}
          onKeyDown={onKeyDown}
          onBlur={handlers.onBlur}
          aria-describedby={message === null ? undefined : hintId}
          placeholder={placeholder}
          enterKeyHint="send"
          autoComplete="off"
        />
        {trailing}
      </div>
      <FieldHint id={hintId} message={message} isError={isInvalid} className="px-1" />
    </div>
  );
}
