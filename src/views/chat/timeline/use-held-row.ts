import { useRef } from "react";
import type { Row } from "./rows.ts";
import { useTimer } from "./use-timer.ts";
import { isMeasuring, type ListRefs, type RowAlignment, scrollToRow } from "./virtual-list.ts";

/**
 * Milliseconds without a row measurement after which a held row is released. This is longer than the 150 ms after which the virtual list ends a scroll,
 * because the list then renders rows on the far side of the view, which must be measured first.
 */
const HOLD_MS = 300;

/** Scrolls to a row and keeps it in place until the rows around it are measured or the reader scrolls. */
export function useHeldRow(refs: ListRefs, rows: readonly Row[], onMeasured: () => void) {
  const heldRow = useRef<{ key: string; alignment: RowAlignment } | null>(null);
  const timer = useTimer((restart) => {
    // A busy page, or one in the background, measures late.
    if (isMeasuring(refs)) return restart();
    heldRow.current = null;
    onMeasured();
  }, HOLD_MS);

  /** Scrolls to the held row again, after rows were added or measured. */
  const keepInPlace = () => {
    const { key, alignment } = heldRow.current!;
    const index = rows.findIndex((row) => row.key === key);
    scrollToRow(refs, index, alignment);
  };
  return {
    isHeld: () => heldRow.current !== null,
    keepInPlace,
    /** Called after each row measurement. */
    restartTimer: timer.restart,
    hold(row: Row, alignment: RowAlignment) {
      heldRow.current = { key: row.key, alignment };
      keepInPlace();
      timer.restart();
    },
    release() {
      timer.cancel();
      heldRow.current = null;
    },
  };
}
