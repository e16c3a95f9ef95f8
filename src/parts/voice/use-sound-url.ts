import { useEffect, useState } from "react";
import { player } from "../../audio/player.ts";

/** An address for bytes of this page, as long as the component stands; what plays from it ends with it. */
export function useSoundUrl(bytes: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes);
    setUrl(made);
    return () => {
      if (player.state().track?.src === made) player.stop();
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [bytes]);
  return url;
}
