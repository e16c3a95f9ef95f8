import { lazy, Suspense, useEffect } from "react";
import { clearToasts } from "../../ui/toast.ts";

/** Comes after the first view. Where it cannot be loaded the shell stands without it. */
const NotificationArea = lazy(() =>
  import("./Corner.tsx").then(({ NotificationArea: Component }) => ({ default: Component })).catch(() => ({ default: () => null })),
);

/** The place at the shell's lower edge. */
export function NotificationAreaSlot() {
  // The shell comes with who signs in and goes with them: toasts, and what they offer to take back, are for nobody else.
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
