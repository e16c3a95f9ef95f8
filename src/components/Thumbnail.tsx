import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { MediaImage } from "./MediaImage.tsx";

interface ThumbnailProps {
  url: string | null | undefined;
  /** Shown without a thumbnail, and if it fails to load. */
  fallback: ReactNode;
  className?: string;
}

/** Renders a file's thumbnail or cover, which fills its container. The container reserves the space. */
export function Thumbnail({ url, fallback, className }: ThumbnailProps) {
  return (
    <MediaImage
      url={url}
      fallback={fallback}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      className={classNames("size-full object-cover", className)}
    />
  );
}
