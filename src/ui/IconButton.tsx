import { type LucideIcon, X } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../lib/class-names.ts";

export const iconButtonClasses =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-50";

interface Props extends ComponentProps<"button"> {
  /** Accessible name, and tooltip unless another is given. */
  label: string;
  /** Says more than the label, for example why the button is disabled; screen readers read it as the description. */
  tooltip?: string | undefined;
  /** Omitted where the child is the icon, for example an emoji. */
  icon?: LucideIcon;
  /** CSS pixels. */
  iconSize?: number;
}

/** A button that shows only an icon. */
export const IconButton = ({ label, tooltip, icon: Icon, iconSize = 18, className, children, ...rest }: Props) => (
  <button
    type="button"
    aria-label={label}
    // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 has it for all roles
    aria-description={tooltip}
    data-tooltip={tooltip ?? label}
    {...rest}
    className={classNames(iconButtonClasses, className)}
  >
    {Icon ? <Icon size={iconSize} aria-hidden /> : children}
  </button>
);

/** Closes, clears or dismisses something. */
export const CloseButton = (props: Omit<Props, "children">) => <IconButton icon={X} iconSize={16} {...props} />;
