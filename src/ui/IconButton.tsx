import { X } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "../lib/class-names.ts";

export const iconButtonClasses =
  "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-text-2 transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:opacity-50";

/** `label` is the accessible name and the tooltip. */
type Props = ComponentProps<"button"> & { label: string };

/** A button that shows only an icon. */
export const IconButton = ({ label, className, ...rest }: Props) => (
  <button type="button" aria-label={label} title={label} {...rest} className={classNames(iconButtonClasses, className)} />
);

/** Closes, clears or dismisses something. */
export const CloseButton = (props: Omit<Props, "children">) => (
  <IconButton {...props}>
    <X size={16} aria-hidden />
  </IconButton>
);
