import { type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { cleanName } from "../../../../contract/text.ts";
import { Button } from "../../../ui/Button.tsx";
import { isComposing } from "../../../ui/text-input.ts";
import { stemLength, validateName } from "../names.ts";

/** What is typed, with its selection. */
export interface NameDraft {
  text: string;
  start: number;
  end: number;
}

/** Minimum CSS pixels between the error message and the edge of the window. */
const EDGE_MARGIN_PX = 8;

interface RenameFieldProps {
  label: string;
  /** Initial text. The part before the file extension is selected. */
  text: string;
  isFolder: boolean;
  /** Keeps what is typed, because a list that rerenders may remount the field. */
  draft?: { current: NameDraft | null };
  /** Why the name was rejected before. */
  error?: string | null;
  /** True while the request is in flight. */
  isPending?: boolean;
  /** Label of a submit button beside the field. With a button, a blur never submits. */
  submitLabel?: string;
  /** Called on Enter or on blur, and only with a valid name. */
  onSubmit(name: string, isBlur: boolean): void;
  onClose(isBlur: boolean): void;
}

/** Edits a name in place. Enter submits, Escape cancels, and a blur submits if there is no button. */
export function RenameField({
  label,
  text: initialText,
  draft,
  isFolder,
  error: initialError = null,
  isPending = false,
  submitLabel,
  onSubmit,
  onClose,
}: RenameFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [initialDraft] = useState(() => draft?.current);
  const [text, setText] = useState(initialDraft?.text ?? initialText);
  const [validationError, setValidationError] = useState<string | null>(null);
  const isDone = useRef(false);
  const isChanged = text !== initialText;
  const error = validationError ?? (isChanged ? null : initialError);

  useLayoutEffect(() => {
    const focusInput = () => {
      input.current?.focus();
      input.current?.setSelectionRange(initialDraft?.start ?? 0, initialDraft?.end ?? stemLength(initialText, isFolder));
    };
    focusInput();
    // When a rejected name reopens the field, the list may be focusing its row at the same moment.
    const frame = requestAnimationFrame(() => document.activeElement !== input.current && focusInput());
    return () => cancelAnimationFrame(frame);
    // Runs once, on mount.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // A rejected name can be submitted again.
  useLayoutEffect(() => {
    if (!isPending) isDone.current = false;
  }, [isPending, initialError]);
  const tooltip = useErrorTooltip(input, error);

  function saveDraft({ value, selectionStart, selectionEnd }: HTMLInputElement) {
    if (draft) draft.current = { text: value, start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
  }
  function close(isBlur: boolean) {
    isDone.current = true;
    onClose(isBlur);
  }
  function submit(isBlur: boolean) {
    if (isDone.current || isPending) return;
    const trimmedName = cleanName(text);
    // Leaving an empty field cancels the edit.
    if (isBlur && trimmedName === "") return close(true);
    const issue = validateName(trimmedName);
    if (issue !== null) return setValidationError(issue);
    // A blur does not resubmit a rejected name that has not changed.
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
        aria-busy={isPending || undefined}
        readOnly={isPending}
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
          // Keys that are shortcuts in the list are text here.
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
          // Only the window lost the focus if the field is still the active element.
          if (document.activeElement === input.current) return;
          if (submitLabel === undefined) submit(true);
          // With a button, typed text stays until the user submits or cancels it.
          else if (text === initialText && initialError === null && !isPending && relatedTarget !== button.current) close(true);
        }}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className="h-7 w-full min-w-0 rounded-sm border border-field-line bg-surface px-1.5 text-md text-text aria-invalid:border-danger"
      />
      {submitLabel !== undefined && (
        // The field keeps the focus, because a blur closes an unchanged field.
        <Button ref={button} size="sm" pending={isPending} onMouseDown={(event) => event.preventDefault()} onClick={() => submit(false)}>
          {submitLabel}
        </Button>
      )}
      {error !== null && (
        <span
          ref={tooltip}
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

/**
 * Shows the error message below the field and returns its ref. The message is a popover in the top layer, because rows and tiles would cover or clip
 * it.
 */
function useErrorTooltip(fieldRef: RefObject<HTMLInputElement | null>, error: string | null): RefObject<HTMLSpanElement | null> {
  const tooltipRef = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const [tooltip, field] = [tooltipRef.current, fieldRef.current];
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
  }, [fieldRef, error]);
  return tooltipRef;
}
