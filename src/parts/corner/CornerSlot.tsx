import { lazy, Suspense } from "react";

/** Comes after the first view. Where it cannot be loaded the shell stands without it. */
const Corner = lazy(() => import("./Corner.tsx").then(({ Corner: Component }) => ({ default: Component })).catch(() => ({ default: () => null })));

/** The place at the shell's lower edge. */
export function CornerSlot() {
  return (
    <Suspense fallback={null}>
      <Corner />
    </Suspense>
  );
}
