import { useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { validateName, stemLength } from "../../model/names.ts";

/** What was typed and where the caret stood, by whose field it is: a list that is drawn anew builds the field again. */
const drafts = new WeakMap<object, { text: string; start: number; end: number }>();

/** CSS pixels that what is told keeps from the window's edge. */
const EDGE_MARGIN_PX = 8;

interface Props {
  label: string;
  /** What stands in it first; the part before the file type is chosen. */
  text: string;
  isFolder: boolean;
  /** The act of naming that this is the field of; where it is built anew for the same one it goes on as it was left. */
  editKey?: object;
  /** Why it was refused before. */
  error?: string | null;
  /** It is on its way. */
  pending?: boolean;
  /** A button beside it gives the name then, and leaving the field never does. */
  submitLabel?: string;
  /** Given by Enter, or by leaving the field; a name that cannot be one is never given. */
  onSubmit(name: string, isBlur: boolean): void;
  onClose(isBlur: boolean): void;
}

/** A name, written where it stands: Enter gives it, Escape leaves it, leaving the field gives it too where no button does. */
export function RenameField({
  label,
  text: initialText,
  editKey,
  isFolder,
  error: initialError = null,
  pending = false,
  submitLabel,
  onSubmit,
  onClose,
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  const errorRef = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const draft = editKey && drafts.get(editKey);
  const [text, setText] = useState(draft?.text ?? initialText);
  const [validationError, setValidationError] = useState<string | null>(null);
  const isDone = useRef(false);
  const isChanged = text !== initialText;
  const error = validationError ?? (isChanged ? null : initialError);

  useLayoutEffect(() => {
    const focusInput = () => {
      input.current?.focus();
      input.current?.setSelectionRange(draft?.start ?? 0, draft?.end ?? stemLength(initialText, isFolder));
    };
    focusInput();
    // Where a name comes back refused, the list may just be giving the focus to its row.
    const frame = requestAnimationFrame(() => document.activeElement !== input.current && focusInput());
    return () => cancelAnimationFrame(frame);
    // Once, when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // Refused: it may be given again.
  useLayoutEffect(() => {
    if (!pending) isDone.current = false;
  }, [pending, initialError]);

  // In the top layer: rows and tiles would cover or cut it.
  useLayoutEffect(() => {
    const [tooltip, field] = [errorRef.current, input.current];
    if (!tooltip || !field) return;
    const positionTooltip = () => {
      const { left, bottom } = field.getBoundingClientRect();
      tooltip.style.left = `${Math.max(EDGE_MARGIN_PX, Math.min(left, innerWidth - tooltip.offsetWidth - EDGE_MARGIN_PX))}px`;
      tooltip.style.top = `${bottom + EDGE_MARGIN_PX / 2}px`;
    };
    if (!tooltip.matches(":popover-open")) tooltip.showPopover();
    positionTooltip();
    addEventListener("scroll", positionTooltip, true);
    return () => removeEventListener("scroll", positionTooltip, true);
  }, [error]);

  function saveDraft({ value, selectionStart, selectionEnd }: HTMLInputElement) {
    if (editKey) drafts.set(editKey, { text: value, start: selectionStart ?? value.length, end: selectionEnd ?? value.length });
  }
  function close(isBlur: boolean) {
    isDone.current = true;
    onClose(isBlur);
  }
  function submit(isBlur: boolean) {
    if (isDone.current || pending) return;
    const trimmedName = text.trim();
    // Whoever goes away from an empty field does not want a name.
    if (isBlur && trimmedName === "") return close(true);
    const issue = validateName(trimmedName);
    if (issue !== null) return setValidationError(issue);
    // Refused already, and nothing else was written: somebody else's turn.
    if (isBlur && initialError !== null && !isChanged) return;
    isDone.current = true;
    onSubmit(trimmedName, isBlur);
  }
  return (
    <span className="relative flex min-w-0 flex-1 items-center gap-2">
      <input
        ref={input}
        aria-label={label}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : id}
        aria-busy={pending || undefined}
        readOnly={pending}
        value={text}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          saveDraft(event.target);
          setValidationError(null);
        }}
        onSelect={({ currentTarget }) => saveDraft(currentTarget)}
        onKeyDown={(event) => {
          // The list's own keys are letters here.
          event.stopPropagation();
          if (isComposing(event)) return;
          if (event.key === "Enter") {
            event.preventDefault();
            submit(false);
          } else if (event.key === "Escape") {
            event.preventDefault();
            close(false);
          }
        }}
        onBlur={({ relatedTarget }) => {
          // Another window was chosen, not another place of this one.
          if (document.activeElement === input.current) return;
          if (submitLabel === undefined) submit(true);
          // What was typed stays until it is given or given up.
          else if (text === initialText && initialError === null && !pending && relatedTarget !== button.current) close(true);
        }}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className="h-7 w-full min-w-0 rounded-sm border border-field-line bg-surface px-1.5 text-md text-text aria-invalid:border-danger"
      />
      {submitLabel !== undefined && (
        // The field keeps the focus: leaving it untouched closes it.
        <Button ref={button} size="sm" pending={pending} onMouseDown={(event) => event.preventDefault()} onClick={() => submit(false)}>
          {submitLabel}
        </Button>
      )}
      {error !== null && (
        <span
          ref={errorRef}
          id={id}
          role="alert"
          popover="manual"
          className="fixed m-0 max-w-100 rounded-md border border-danger bg-raised px-2.5 py-1.5 text-sm text-danger shadow-float"
        >
          {error}
        </span>
      )}
    </span>
  );
}
