import { lazy, Suspense } from "react";

/** Loaded after the first view; if loading fails, the shell works without it. */
const MiniPlayer = lazy(() => import("./MiniPlayer.tsx").then(({ MiniPlayer: Component }) => ({ default: Component })).catch(() => ({ default: () => null })));

/** Reserves the place of the mini player in the shell. */
export function MiniPlayerSlot() {
  return (
    <Suspense fallback={null}>
      <MiniPlayer />
    </Suspense>
  );
}
