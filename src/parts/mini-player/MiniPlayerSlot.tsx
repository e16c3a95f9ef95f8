import { lazy, Suspense } from "react";

/** Comes after the first view. Where it cannot be loaded the shell stands without it. */
const MiniPlayer = lazy(() => import("./MiniPlayer.tsx").then(({ MiniPlayer: Component }) => ({ default: Component })).catch(() => ({ default: () => null })));

/** The place of the mini player in the shell. */
export function MiniPlayerSlot() {
  return (
    <Suspense fallback={null}>
      <MiniPlayer />
    </Suspense>
  );
}
