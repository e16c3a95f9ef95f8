import { useEffect, useEffectEvent, useState } from "react";

/** Returns a URL for bytes in memory while the component is mounted. `onRevoke` runs before the URL becomes invalid. */
export function useObjectUrl(bytes: Blob | null, onRevoke?: (url: string) => void): string | null {
  const [url, setUrl] = useState<string | null>(null);
  const handleRevoke = useEffectEvent((revoked: string) => onRevoke?.(revoked));
  useEffect(() => {
    if (!bytes) return;
    const objectUrl = URL.createObjectURL(bytes);
    setUrl(objectUrl);
    return () => {
      handleRevoke(objectUrl);
      URL.revokeObjectURL(objectUrl);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
