import { useEffect, useRef, type FormEvent, type ReactNode } from "react";
import { t } from "../../../lib/texts/review-tags.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { Button } from "../../../ui/Button.tsx";

interface Props {
  label: string;
  onSubmit(event: FormEvent): void;
  onClose(): void;
  isPending: boolean;
  error: unknown;
  /** null if nothing has been corrected yet. */
  onUndo: (() => void) | null;
  children: ReactNode;
}

/** Renders a non-modal correction form below the cards, so that the page and its keys keep working. Escape closes it. */
export function CorrectionForm({ label, onSubmit, onClose, isPending, error, onUndo, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const previousFocus = document.activeElement instanceof HTMLElement && !form.current?.contains(document.activeElement) ? document.activeElement : null;
    form.current?.scrollIntoView({ block: "nearest" });
    const opener = previousFocus ?? form.current?.parentElement?.querySelector<HTMLElement>("[aria-expanded=true]");
    return () => {
      if (document.activeElement === document.body || !document.activeElement) opener?.focus();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handler only closes the form on Escape
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
      className="mt-2 rounded-lg border border-line-strong bg-surface p-3.5"
    >
      {children}
      {error !== null && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {describeError(error).title}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="sm" pending={isPending}>
          {t("save")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t("cancel")}
        </Button>
        {onUndo && (
          <Button size="sm" variant="ghost" className="ml-auto" pending={isPending} onClick={onUndo}>
            {t("resetToDetected")}
          </Button>
        )}
      </div>
    </form>
  );
}
