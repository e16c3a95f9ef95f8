import { useEffect, useState } from "react";
import { player } from "../../audio/player.ts";

/** Returns an object URL for bytes in memory while the component is mounted; playback from it stops on unmount. */
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
