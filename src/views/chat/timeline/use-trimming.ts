import { useTimer } from "./use-timer.ts";
import { findMiddleIndex, type ListRefs } from "./virtual-list.ts";

/**
 * Milliseconds without scrolling after which rows are trimmed. The virtual list ends a scroll after 150 ms, which is shorter than the pause between two
 * turns of the wheel.
 */
const IDLE_MS = 1_500;
/** Maximum rows while following the end, where messages may arrive without a pause; the far end is trimmed beyond it. */
const MAX_ROWS_FOLLOWING = 2_500;
/** Maximum rows while the reader scrolls up without a pause; the newest end is trimmed beyond it. */
const MAX_ROWS_SCROLLING_UP = 4_000;

interface TrimmingOptions {
  rowCount: number;
  /** Pixels; an end that is closer would load its next page again at once, for example if nearly all messages are deleted. */
  minDistancePx: number;
  onTrim(endToKeep: "newest" | "oldest"): void;
}

/** Asks to trim an overlong list at the end far from the reader. */
export function useTrimming({ scroller, list }: ListRefs, { rowCount, minDistancePx, onTrim }: TrimmingOptions) {
  const isInNewerHalf = () => list.current !== null && findMiddleIndex(scroller.current, list.current) > rowCount / 2;

  const trim = (endToKeep: "newest" | "oldest") => {
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    const distance = endToKeep === "newest" ? scrollTop : scrollHeight - scrollTop - clientHeight;
    if (distance >= minDistancePx) onTrim(endToKeep);
  };

  // Trims only when idle, because removing rows above during a scroll makes the list lose its position and stick to one end.
  const idleTimer = useTimer(() => {
    if (list.current) trim(isInNewerHalf() ? "newest" : "oldest");
  }, IDLE_MS);

  return {
    onScroll: idleTimer.restart,
    onRowsChanged(isFollowingEnd: boolean) {
      idleTimer.startOnce();
      if (isFollowingEnd && rowCount > MAX_ROWS_FOLLOWING) trim("newest");
      // Rows below the view can be removed even during a scroll, because the view does not move.
      else if (rowCount > MAX_ROWS_SCROLLING_UP && list.current && !isInNewerHalf()) trim("oldest");
    },
  };
}
