import { classes } from "../lib/classes.ts";
import { hueOf } from "../lib/hue.ts";
import { initialsOf } from "../lib/initials.ts";

const SIZES = { dot: "size-4 text-[9px]", xs: "size-5 text-[9px]", sm: "size-6 text-[10px]", md: "size-8 text-xs", lg: "size-9 text-sm" };

interface Props {
  id: number;
  name: string;
  /** The person's picture; without one, initials are shown. */
  url?: string | null;
  size?: keyof typeof SIZES;
  className?: string;
}

/** Shows a person's picture as decoration beside the name; initials are drawn by CSS, so that they are neither copied nor read aloud. */
export function Avatar({ id, name, url, size = "md", className }: Props) {
  const frame = classes("inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none", SIZES[size], className);
  if (url) return <img src={url} alt="" className={classes(frame, "object-cover")} />;
  const initials = initialsOf(name);
  return (
    // The smallest size fits only one letter.
    <span
      aria-hidden
      data-hue={hueOf(id)}
      data-initials={size === "dot" ? [...initials][0] : initials}
      className={classes(frame, "hue-avatar before:content-[attr(data-initials)]")}
    />
  );
}
