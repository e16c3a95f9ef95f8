import { ArrowUp } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../../../lib/class-names.ts";

/** Sends a message; highlighted while there is something to send. */
export function SendButton({ label, canSend = true, ...rest }: ComponentProps<"button"> & { label: string; canSend?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tooltip={label}
      aria-disabled={!canSend}
      className={classNames(
        "flex size-8 shrink-0 items-center justify-center rounded-md transition-colors max-tablet:size-9 max-tablet:rounded-full",
        canSend ? "bg-accent text-accent-ink hover:brightness-105" : "bg-hover text-text-3",
      )}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  );
}
