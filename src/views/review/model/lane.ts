/** The one viewport of a file's page, outside React: overview, detail lane and markers follow it frame by frame. */
import { moveViewEdge, followPlayback, createView, panView, resizeView, revealPosition, spanOf, fullView, zoomView, type Viewport } from "./viewport.ts";

export type WaveformViewport = ReturnType<typeof createWaveformViewport>;

/** Seconds that are shown first: enough to see the shape of a part, few enough to see its beats come. */
const INITIAL_SPAN = { fraction: 1 / 6, min: 20, max: 120 };
/** The sound went on by itself, at most so many seconds from one picture to the next. */
const MAX_PLAYBACK_STEP_SECONDS = 0.6;

/** Opens around `position`. `initialWidth` is what it will be laid out with, in CSS pixels, where that is known: then its first picture is right at once. */
export function createWaveformViewport(duration: number, position: number, initialWidth = 0) {
  const span = Math.min(INITIAL_SPAN.max, Math.max(INITIAL_SPAN.min, duration * INITIAL_SPAN.fraction));
  let view = createView(position > span / 2 ? position - span / 2 : 0, span, duration, initialWidth);
  let holdCount = 0;
  const listeners = new Set<() => void>();

  function setView(next: Viewport) {
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
    setView,
    /** The lane is so wide now, in CSS pixels. */
    setWidth(width: number) {
      if (width > 0) setView(resizeView(view, width, duration));
    },
    /** `factor` above 1 looks closer at `seconds`. */
    zoom: (factor: number, seconds: number) => setView(zoomView(view, factor, seconds, duration)),
    pan: (seconds: number) => setView(panView(view, seconds, duration)),
    moveEdge: (edge: "from" | "to", seconds: number) => setView(moveViewEdge(view, edge, seconds, duration)),
    fit: () => setView(fullView(duration, view.width)),
    /** Shows a position: in place where it is in sight already. */
    reveal: (seconds: number) => setView(revealPosition(view, seconds, duration)),
    /** So much around a position. */
    centerOn: (seconds: number, spanSeconds = spanOf(view)) => setView(createView(seconds - spanSeconds / 2, spanSeconds, duration, view.width)),
    /** A hand is on it: until it is taken off nothing moves by itself. Returns the way to take it off. */
    suspendFollowing() {
      holdCount++;
      let isHeld = true;
      return () => {
        if (isHeld) holdCount--;
        isHeld = false;
      };
    },
    /** The sound went from `previous` to `current`: by itself it is followed, by somebody's choice it is shown. */
    follow(previous: number, current: number, reducedMotion: boolean) {
      if (holdCount > 0 || previous === current) return;
      const isContinuous = current > previous && current - previous <= MAX_PLAYBACK_STEP_SECONDS;
      setView(isContinuous ? followPlayback(view, previous, current, duration, reducedMotion) : revealPosition(view, current, duration));
    },
  };
}
