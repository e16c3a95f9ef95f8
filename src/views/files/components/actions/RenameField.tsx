import { useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../../../ui/Button.tsx";
import { isComposing } from "../../../../ui/composing.ts";
import { nameFault, stemLength } from "../../model/names.ts";

/** What was typed and where the caret stood, by whose field it is: a list that is drawn anew builds the field again. */
const drafts = new WeakMap<object, { text: string; start: number; end: number }>();

/** CSS pixels that what is told keeps from the window's edge. */
const EDGE = 8;

interface Props {
  label: string;
  /** What stands in it first; the part before the file type is chosen. */
  text: string;
  isFolder: boolean;
  /** The act of naming that this is the field of; where it is built anew for the same one it goes on as it was left. */
  of?: object;
  /** Why it was refused before. */
  fault?: string | null;
  /** It is on its way. */
  pending?: boolean;
  /** A button beside it gives the name then, and leaving the field never does. */
  giveLabel?: string;
  /** Given by Enter, or by leaving the field; a name that cannot be one is never given. */
  onName(name: string, isLeaving: boolean): void;
  onClose(isLeaving: boolean): void;
}

/** A name, written where it stands: Enter gives it, Escape leaves it, leaving the field gives it too where no button does. */
export function RenameField({ label, text: first, of, isFolder, fault: before = null, pending = false, giveLabel, onName, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const told = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const draft = of && drafts.get(of);
  const [text, setText] = useState(draft?.text ?? first);
  const [own, setOwn] = useState<string | null>(null);
  const done = useRef(false);
  const changed = text !== first;
  const fault = own ?? (changed ? null : before);

  useLayoutEffect(() => {
    const take = () => {
      input.current?.focus();
      input.current?.setSelectionRange(draft?.start ?? 0, draft?.end ?? stemLength(first, isFolder));
    };
    take();
    // Where a name comes back refused, the list may just be giving the focus to its row.
    const frame = requestAnimationFrame(() => document.activeElement !== input.current && take());
    return () => cancelAnimationFrame(frame);
    // Once, when it opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  // Refused: it may be given again.
  useLayoutEffect(() => {
    if (!pending) done.current = false;
  }, [pending, before]);

  // In the top layer: rows and tiles would cover or cut it.
  useLayoutEffect(() => {
    const [tip, field] = [told.current, input.current];
    if (!tip || !field) return;
    const place = () => {
      const { left, bottom } = field.getBoundingClientRect();
      tip.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - tip.offsetWidth - EDGE))}px`;
      tip.style.top = `${bottom + EDGE / 2}px`;
    };
    if (!tip.matches(":popover-open")) tip.showPopover();
    place();
    addEventListener("scroll", place, true);
    return () => removeEventListener("scroll", place, true);
  }, [fault]);

  function note({ value, selectionStart, selectionEnd }: HTMLInputElement) {
    if (of) drafts.set(of, { text: value, start: selectionStart ?? value.length, end: selectionEnd ?? value.length });
  }
  function close(isLeaving: boolean) {
    done.current = true;
    onClose(isLeaving);
  }
  function give(isLeaving: boolean) {
    if (done.current || pending) return;
    const wished = text.trim();
    // Whoever goes away from an empty field does not want a name.
    if (isLeaving && wished === "") return close(true);
    const wrong = nameFault(wished);
    if (wrong !== null) return setOwn(wrong);
    // Refused already, and nothing else was written: somebody else's turn.
    if (isLeaving && before !== null && !changed) return;
    done.current = true;
    onName(wished, isLeaving);
  }
  return (
    <span className="relative flex min-w-0 flex-1 items-center gap-2">
      <input
        ref={input}
        aria-label={label}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : id}
        aria-busy={pending || undefined}
        readOnly={pending}
        value={text}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          note(event.target);
          setOwn(null);
        }}
        onSelect={({ currentTarget }) => note(currentTarget)}
        onKeyDown={(event) => {
          // The list's own keys are letters here.
          event.stopPropagation();
          if (isComposing(event)) return;
          if (event.key === "Enter") {
            event.preventDefault();
            give(false);
          } else if (event.key === "Escape") {
            event.preventDefault();
            close(false);
          }
        }}
        onBlur={({ relatedTarget }) => {
          // Another window was chosen, not another place of this one.
          if (document.activeElement === input.current) return;
          if (giveLabel === undefined) give(true);
          // What was typed stays until it is given or given up.
          else if (text === first && before === null && !pending && relatedTarget !== button.current) close(true);
        }}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className="h-7 w-full min-w-0 rounded-sm border border-field-line bg-surface px-1.5 text-md text-text aria-invalid:border-danger"
      />
      {giveLabel !== undefined && (
        // The field keeps the focus: leaving it untouched closes it.
        <Button ref={button} size="sm" pending={pending} onMouseDown={(event) => event.preventDefault()} onClick={() => give(false)}>
          {giveLabel}
        </Button>
      )}
      {fault !== null && (
        <span
          ref={told}
          id={id}
          role="alert"
          popover="manual"
          className="fixed m-0 max-w-100 rounded-md border border-danger bg-raised px-2.5 py-1.5 text-sm text-danger shadow-float"
        >
          {fault}
        </span>
      )}
    </span>
  );
}
