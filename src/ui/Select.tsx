import { ChevronDown } from "lucide-react";
import type { SelectHTMLAttributes } from "react";
import { classes } from "../lib/classes.ts";

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  /** Shows the error border. */
  invalid?: boolean;
  /** Does not fill the width of its container. */
  compact?: boolean;
}

/** The native select with a custom arrow. */
export function Select({ invalid = false, compact = false, className, disabled, ...rest }: Props) {
  return (
    <span className={classes("relative inline-flex min-w-0", !compact && "w-full", className)}>
      <select
        {...rest}
        disabled={disabled}
        className={classes(
          "w-full min-w-0 appearance-none truncate rounded-md border bg-bg text-text transition-colors hover:border-text-3 disabled:cursor-not-allowed disabled:border-transparent disabled:bg-transparent disabled:text-text-2",
          invalid ? "border-danger" : "border-field-line",
          compact ? "h-8 pr-7 pl-2.5" : "h-9 pr-9 pl-3",
        )}
      />
      {!disabled && (
        <ChevronDown
          size={compact ? 14 : 16}
          aria-hidden
          className={classes("pointer-events-none absolute my-auto h-full text-text-2", compact ? "right-2" : "right-2.5")}
        />
      )}
    </span>
  );
}
