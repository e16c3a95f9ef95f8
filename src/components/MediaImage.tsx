import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { useClient } from "../client/client.ts";

/**
 * Returns the address for an element that shows or plays a record's URL, undefined until it is known, and what to do when the element cannot load it.
 * `isBroken`: the bytes cannot be loaded from any address.
 */
export function useMediaUrl(url: string | null | undefined): { src: string | undefined; isBroken: boolean; onError(): void } {
  const { media, recovery } = useClient();
  const [stored, setStored] = useState<{ url: string; address: string | null } | null>(null);
  const known = stored?.url === url ? stored : null;
  const address = known ? known.address : url ? media.get(url) : null;
  const isBroken = known?.address === null;
  const isMissing = address === null && !isBroken;
  useEffect(() => {
    if (!url || !isMissing) return;
    let isCurrent = true;
    const store = (found: string | null) => isCurrent && setStored({ url, address: found });
    media.load(url).then(store, () => store(null));
    return () => void (isCurrent = false);
  }, [media, url, isMissing]);
  useEffect(() => (isBroken ? recovery.onRecovered(() => setStored(null)) : undefined), [recovery, isBroken]);
  function onError() {
    if (!url || address === null) return;
    const store = (found: string | null) => setStored({ url, address: found });
    media.findAlternative(url, address).then(store, () => store(null));
  }
  return { src: address ?? undefined, isBroken, onError };
}

interface MediaImageProps extends Omit<ComponentProps<"img">, "src" | "alt" | "onError"> {
  url: string | null | undefined;
  alt: string;
  /** Shown without a picture, and if it fails to load. */
  fallback?: ReactNode;
}

/** Renders the picture at a record's URL. */
export function MediaImage({ url, alt, fallback = null, ...rest }: MediaImageProps) {
  const { src, isBroken, onError } = useMediaUrl(url);
  return url && !isBroken ? <img {...rest} src={src} alt={alt} onError={onError} /> : fallback;
}
