import { type LucideIcon, X } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../lib/class-names.ts";

export const iconButtonClasses =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-50";

interface Props extends ComponentProps<"button"> {
  /** Accessible name and tooltip. */
  label: string;
  /** Another icon, such as an emoji, is the button's child. */
  icon?: LucideIcon;
  /** CSS pixels. */
  iconSize?: number;
}

/** A button that shows only an icon. */
export const IconButton = ({ label, icon: Icon, iconSize = 18, className, children, ...rest }: Props) => (
  <button type="button" aria-label={label} data-tooltip={label} {...rest} className={classNames(iconButtonClasses, className)}>
    {Icon ? <Icon size={iconSize} aria-hidden /> : children}
  </button>
);

/** Closes, clears or dismisses something. */
export const CloseButton = (props: Omit<Props, "children">) => <IconButton icon={X} iconSize={16} {...props} />;
