import { classNames } from "../lib/class-names.ts";
import { initialsOf } from "../lib/format.ts";
import { hueOf } from "../lib/hue.ts";
import { MediaImage } from "./MediaImage.tsx";

const SIZES = {
  dot: "size-4 text-[9px]",
  xs: "size-5 text-[9px]",
  sm: "size-6 text-[10px]",
  md: "size-8 text-xs",
  lg: "size-9 text-sm",
  xl: "size-20 text-xl",
};

interface Props {
  id: number;
  name: string;
  /** The person's picture; without one, initials are shown. */
  url?: string | null | undefined;
  initials?: string | undefined;
  size?: keyof typeof SIZES;
  className?: string;
}

/** Shows a person's picture as decoration beside the name; initials are drawn by CSS, so that they are neither copied nor read aloud. */
export function Avatar({ id, name, url, initials = initialsOf(name), size = "md", className }: Props) {
  const frame = classNames("inline-flex shrink-0 items-center justify-center rounded-full font-semibold select-none", SIZES[size], className);
  return (
    <MediaImage
      url={url && size !== "xl" ? toSmallUrl(url) : url}
      alt=""
      draggable={false}
      className={classNames(frame, "bg-hover object-cover")}
      fallback={
        // The smallest size fits only one letter.
        <span
          aria-hidden
          data-hue={hueOf(id)}
          data-initials={size === "dot" ? [...initials][0] : initials}
          className={classNames(frame, "hue-avatar before:content-[attr(data-initials)]")}
        />
      }
    />
  );
}

/** Returns the URL of the small picture; the URLs of other services stay. */
const toSmallUrl = (url: string): string => (/\/avatar\?version=\d+$/.test(url) ? `${url}&size=small` : url);

/** Marks a person's picture as present; purely visual, so state the presence in text beside it. */
export function PresenceDot() {
  return <span aria-hidden data-presence className="absolute z-1 -right-0.5 -bottom-0.5 size-2 rounded-full bg-ok ring-2 ring-surface" />;
}
