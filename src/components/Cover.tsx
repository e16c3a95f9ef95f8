import { Music } from "lucide-react";
import { classNames } from "../lib/class-names.ts";
import { Thumbnail } from "./Thumbnail.tsx";

/** Renders the cover of an audio file as a square, whose size comes from `className`; a neutral icon if it fails to load. */
export function Cover({ url, className }: { url: string; className: string }) {
  return (
    <span
      aria-hidden
      data-cover
      className={classNames(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-sm bg-hover text-text-2 outline-1 -outline-offset-1 outline-line",
        className,
      )}
    >
      <Thumbnail url={url} fallback={<Music size={16} />} />
    </span>
  );
}
