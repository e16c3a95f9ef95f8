import { useId, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/comments.ts";
import { charactersLeft } from "../../../parts/message-text/draft.ts";
import { isComposing } from "../../../ui/composing.ts";
import { useGrownHeight } from "../../../ui/use-grown-height.ts";
import { readyBody } from "./model/ready.ts";

interface Props {
  label: string;
  placeholder?: string;
  text: string;
  onText(text: string): void;
  /** With what is to be sent; never "". */
  onSubmit(body: string): void;
  /** Escape: answers whether it was meant for the field. */
  onLeave(): void;
  onBlur?(): void;
  /** More keys; answers whether one was taken. */
  onKey?(event: KeyboardEvent): boolean;
  fault?: string | null;
  field?: RefObject<HTMLTextAreaElement | null>;
  /** Before and behind the words. */
  before?: ReactNode;
  after?: ReactNode;
}

/** Pixels; beyond this the text scrolls inside. */
const TALLEST = 240;

/** A field for words: Enter sends, Shift Enter breaks the line, as in the chat. */
export function WordsField({ label, placeholder, text, fault = null, field, before, after, ...on }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const input = field ?? own;
  const hint = useId();
  const left = charactersLeft(text);
  const tooLong = left !== null && left < 0;
  const words = fault ?? (left === null ? null : tooLong ? t("tooLong", { count: -left }) : t("left", { count: left }));
  useGrownHeight(input, text, TALLEST);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    // Rows and the page have keys of their own.
    event.stopPropagation();
    if (on.onKey?.(event)) return event.preventDefault();
    if (event.key === "Escape") {
      event.preventDefault();
      on.onLeave();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const body = readyBody(text);
      if (body !== null) on.onSubmit(body);
    }
  };
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-11 items-center gap-2.5 rounded-md border border-field-line bg-bg px-3 py-1 focus-within:border-text-3">
        {before}
        <textarea
          ref={input}
          rows={1}
          dir="auto"
          value={text}
          onChange={({ target }) => on.onText(target.value)}
          onKeyDown={onKeyDown}
          onBlur={on.onBlur}
          aria-label={label}
          aria-describedby={words === null ? undefined : hint}
          aria-invalid={tooLong || fault !== null || undefined}
          placeholder={placeholder}
          enterKeyHint="send"
          autoComplete="off"
          className="min-w-0 flex-1 resize-none bg-transparent py-1.5 outline-none placeholder:truncate max-tablet:text-lg"
        />
        {after}
      </div>
      {words !== null && (
        <p id={hint} role="status" className={classes("px-1 pt-1 text-xs", tooLong || fault !== null ? "text-danger" : "text-text-3")}>
          {words}
        </p>
      )}
    </div>
  );
}
