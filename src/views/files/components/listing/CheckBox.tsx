import { Check } from "lucide-react";
import { classes } from "../../../../lib/classes.ts";

interface Props {
  label: string;
  checked: boolean;
  /** If false, an unchecked box is visible only on hover. */
  isAlwaysVisible: boolean;
  /** Without a handler, the surrounding list handles the press. */
  onPress?(): void;
  className?: string;
}

/** A checkbox for mouse and touch. The keyboard selects the rows themselves. */
export function CheckBox({ label, checked, isAlwaysVisible, onPress, className }: Props) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      aria-label={label}
      title={label}
      data-act={onPress ? undefined : "toggle"}
      tabIndex={-1}
      onClick={onPress}
      className={classes("flex size-8 items-center justify-center", !isAlwaysVisible && !checked && "opacity-0", className)}
    >
      <span
        className={classes(
          "flex size-4.5 items-center justify-center rounded-[5px] border",
          checked ? "border-accent bg-accent text-accent-ink" : "border-field-line bg-surface hover:border-text-2",
        )}
      >
        {checked && <Check size={13} strokeWidth={3} aria-hidden />}
      </span>
    </button>
  );
}
