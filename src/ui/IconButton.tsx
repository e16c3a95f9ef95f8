import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classNames } from "../lib/class-names.ts";

export const iconButtonClasses =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-50";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name and tooltip. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button that shows only an icon. */
export function IconButton({ label, className, children, ...rest }: Props) {
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={classNames(iconButtonClasses, className)}>
      {children}
    </button>
  );
}
