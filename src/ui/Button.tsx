import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../lib/class-names.ts";

type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "text";
type Size = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-accent text-accent-ink font-semibold enabled:hover:brightness-105",
  secondary: "border border-line-strong bg-raised text-text font-medium enabled:hover:bg-hover",
  ghost: "text-text-2 font-medium enabled:hover:bg-hover enabled:hover:text-text",
  text: "text-accent-text font-semibold enabled:hover:bg-hover",
  danger: "border border-line-strong bg-raised text-danger font-medium enabled:hover:bg-hover",
};
const SIZES: Record<Size, string> = {
  sm: "h-7 px-2.5 text-sm gap-1.5",
  md: "h-8 px-3 gap-2",
  lg: "h-10 px-4 gap-2",
};

/** Classes that make a link look like a button. */
export const buttonClasses = (variant: ButtonVariant = "secondary", size: Size = "md") =>
  classNames(
    "inline-flex shrink-0 items-center justify-center rounded-md whitespace-nowrap transition-[background-color,filter,color] select-none disabled:cursor-not-allowed disabled:opacity-50",
    VARIANTS[variant],
    SIZES[size],
  );

interface Props extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: Size;
  /** While the started work is pending, pressing again does nothing and the focus stays. */
  pending?: boolean;
  /** An icon before the text. */
  icon?: LucideIcon | undefined;
}

export function Button({ variant = "secondary", size = "md", pending = false, icon: Icon, className, onClick, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClasses(variant, size), pending && "opacity-60", className)}
    >
      {Icon && <Icon size={size === "sm" ? 14 : 16} aria-hidden />}
      {children}
    </button>
  );
}
