import { useEffect, useState } from "react";
import { player } from "../../audio/player.ts";

/** An address for bytes of this page, as long as the component stands; what plays from it ends with it. */
export function useAudioUrl(bytes: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const objectUrl = URL.createObjectURL(bytes);
    setUrl(objectUrl);
    return () => {
      if (player.state().track?.src === objectUrl) player.stop();
      URL.revokeObjectURL(objectUrl);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
