/** The one viewport of a file's page, outside React: overview, detail lane and markers follow it frame by frame. */
import { edged, following, looking, moved, resized, revealing, spanOf, whole, zoomed, type Viewport } from "./viewport.ts";

export type Lane = ReturnType<typeof createLane>;

/** Seconds that are shown first: enough to see the shape of a part, few enough to see its beats come. */
const FIRST_SPAN = { part: 1 / 6, least: 20, most: 120 };
/** The sound went on by itself, at most so many seconds from one picture to the next. */
const STEP_SECONDS = 0.6;

/** Opens around `position`. `laneWidth` is what it will be laid out with, in CSS pixels, where that is known: then its first picture is right at once. */
export function createLane(duration: number, position: number, laneWidth = 0) {
  const span = Math.min(FIRST_SPAN.most, Math.max(FIRST_SPAN.least, duration * FIRST_SPAN.part));
  let view = looking(position > span / 2 ? position - span / 2 : 0, span, duration, laneWidth);
  let hands = 0;
  const listeners = new Set<() => void>();

  function show(next: Viewport) {
    if (next.from === view.from && next.to === view.to && next.width === view.width) return;
    view = next;
    for (const listener of listeners) listener();
  }

  return {
    duration,
    view: () => view,
    /** Calls back after each change. Returns the way to stop. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show,
    /** The lane is so wide now, in CSS pixels. */
    layOut(width: number) {
      if (width > 0) show(resized(view, width, duration));
    },
    /** `factor` above 1 looks closer at `seconds`. */
    zoom: (factor: number, seconds: number) => show(zoomed(view, factor, seconds, duration)),
    move: (seconds: number) => show(moved(view, seconds, duration)),
    moveEdge: (edge: "from" | "to", seconds: number) => show(edged(view, edge, seconds, duration)),
    fit: () => show(whole(duration, view.width)),
    /** Shows a position: in place where it is in sight already. */
    reveal: (seconds: number) => show(revealing(view, seconds, duration)),
    /** So much around a position. */
    lookAt: (seconds: number, width = spanOf(view)) => show(looking(seconds - width / 2, width, duration, view.width)),
    /** A hand is on it: until it is taken off nothing moves by itself. Returns the way to take it off. */
    hold() {
      hands++;
      let held = true;
      return () => {
        if (held) hands--;
        held = false;
      };
    },
    /** The sound went from `was` to `now`: by itself it is followed, by somebody's choice it is shown. */
    follow(was: number, now: number, turning: boolean) {
      if (hands > 0 || was === now) return;
      const went = now > was && now - was <= STEP_SECONDS;
      show(went ? following(view, was, now, duration, turning) : revealing(view, now, duration));
    },
  };
}
