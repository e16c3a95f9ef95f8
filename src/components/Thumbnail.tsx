import { type ReactNode, useState } from "react";
import { classNames } from "../lib/class-names.ts";

interface ThumbnailProps {
  url: string | null | undefined;
  /** Shown without a thumbnail, and if it fails to load. */
  fallback: ReactNode;
  className?: string;
}

/** Renders a file's thumbnail or cover, which fills its container. The container reserves the space. */
export function Thumbnail({ url, fallback, className }: ThumbnailProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  if (!url || brokenUrl === url) return fallback;
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBrokenUrl(url)}
      className={classNames("size-full object-cover", className)}
    />
  );
}
