import { useEffect, useMemo, useRef } from "react";
import type { Deck } from "../../../audio/deck.ts";
import { createLane, type Lane } from "../model/lane.ts";
import { laneWidth } from "../model/lane-width.ts";
import { looking, spanOf } from "../model/viewport.ts";

const CALM = "(prefers-reduced-motion: reduce)";

/** The lane of a deck. It follows what plays; another version of the same file is looked at where the one before was. */
export function useLane(deck: Deck, fileId: number, start: number | null): Lane {
  const before = useRef<{ lane: Lane; fileId: number } | null>(null);
  const lane = useMemo(() => {
    const { position } = deck.state();
    const made = createLane(deck.duration, position > 0 ? position : (start ?? 0), laneWidth());
    const was = before.current;
    if (was?.fileId === fileId && was.lane.duration > 0) {
      const view = was.lane.view();
      made.show(looking(view.from, spanOf(view), deck.duration, view.width));
    }
    return made;
    // oxlint-disable-next-line react/exhaustive-deps -- where it opens is decided once
  }, [deck, fileId]);
  useEffect(() => {
    before.current = { lane, fileId };
  }, [lane, fileId]);
  useEffect(() => {
    let was = deck.state().position;
    return deck.subscribe(() => {
      const { position } = deck.state();
      if (position === was) return;
      lane.follow(was, position, matchMedia(CALM).matches);
      was = position;
    });
  }, [deck, lane]);
  return lane;
}
