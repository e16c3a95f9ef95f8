import { lazy, Suspense, useEffect } from "react";
import { clearToasts } from "../../ui/toast.ts";

/** Loaded after the first view; if loading fails, the shell works without it. */
const NotificationArea = lazy(() =>
  import("./NotificationArea.tsx").then(({ NotificationArea: Component }) => ({ default: Component })).catch(() => ({ default: () => null })),
);

/** Reserves the place of the notification area in the shell. */
export function NotificationAreaSlot() {
  // The shell mounts on sign-in and unmounts on sign-out; toasts and their undo actions are for nobody else.
  useEffect(() => {
    clearToasts();
    return clearToasts;
  }, []);
  return (
    <Suspense fallback={null}>
      <NotificationArea />
    </Suspense>
  );
}

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
