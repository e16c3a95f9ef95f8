import { lazy, Suspense } from "react";
import { useMatch } from "react-router";
import { usePlayerTrack } from "../../audio/use-player.ts";

const MiniPlayer = lazy(async () => ({ default: (await import("./MiniPlayer.tsx")).MiniPlayer }));

/** The place of the mini player in the shell: filled while the player holds a sound, except on that sound's own page. */
export function MiniPlayerSlot() {
  const track = usePlayerTrack();
  const page = useMatch("/files/:fileId");
  if (!track || Number(page?.params.fileId) === track.fileId) return null;
  return (
    <Suspense fallback={null}>
      <MiniPlayer track={track} />
    </Suspense>
  );
}
