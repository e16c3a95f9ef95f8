/** Creates the one viewport of a file's page. It lives outside React, so that overview, detail waveform, and markers follow it frame by frame. */
import { useEffect, useMemo, useRef } from "react";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { isContinuous } from "../player/position.ts";
import { createView, followPlayback, fullView, moveViewEdge, panView, resizeView, revealPosition, spanOf, type Viewport, zoomView } from "./viewport.ts";

/** Initial span in seconds: long enough to show the shape of a section, short enough to show its beats. */
const INITIAL_SPAN = { fraction: 1 / 6, min: 20, max: 120 };

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/** The last width of the waveform or its skeleton in CSS pixels, as the initial width of the next waveform; 0 until one was measured. */
let lastWidth = 0;

/** Opens the viewport around `position`. A known `initialWidth` in CSS pixels makes the first paint correct. */
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
    /** Calls `listener` after each change. Returns the unsubscribe function. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setView,
    /** Sets the waveform width in CSS pixels. */
    setWidth(width: number) {
      if (width > 0) setView(resizeView(view, width, duration));
    },
    /** Zooms around `seconds`. A `factor` above 1 zooms in. */
    zoom: (factor: number, seconds: number) => setView(zoomView(view, factor, seconds, duration)),
    pan: (seconds: number) => setView(panView(view, seconds, duration)),
    moveEdge: (edge: "from" | "to", seconds: number) => setView(moveViewEdge(view, edge, seconds, duration)),
    fit: () => setView(fullView(duration, view.width)),
    /** Shows a position. The view stays if the position is already well inside. */
    reveal: (seconds: number) => setView(revealPosition(view, seconds, duration)),
    /** Centers the view on a position with the given span. */
    centerOn: (seconds: number, spanSeconds = spanOf(view)) => setView(createView(seconds - spanSeconds / 2, spanSeconds, duration, view.width)),
    /** Stops the view from following playback while the user drags or scrolls it. Returns the function that resumes following. */
    suspendFollowing() {
      holdCount++;
      let isHeld = true;
      return () => {
        if (isHeld) holdCount--;
        isHeld = false;
      };
    },
    /** Follows a position change: continuous playback scrolls the view, and a jump reveals the new position. */
    follow(previous: number, current: number, reducedMotion: boolean) {
      if (holdCount > 0 || previous === current) return;
      setView(isContinuous(previous, current) ? followPlayback(view, previous, current, duration, reducedMotion) : revealPosition(view, current, duration));
    },
  };
}

export type WaveformViewport = ReturnType<typeof createWaveformViewport>;

/**
 * Creates the waveform viewport of a track controller. The viewport follows playback, and another version of the same
 * file keeps the visible range.
 */
export function useWaveformViewport(trackController: TrackController, fileId: number, start: number | null): WaveformViewport {
  const previousRef = useRef<{ waveformViewport: WaveformViewport; fileId: number } | null>(null);
  const waveformViewport = useMemo(() => {
    const { position } = trackController.state();
    const created = createWaveformViewport(trackController.duration, position > 0 ? position : (start ?? 0), getWaveformWidth());
    const previous = previousRef.current;
    if (previous?.fileId === fileId && previous.waveformViewport.duration > 0) {
      const view = previous.waveformViewport.view();
      created.setView(createView(view.from, spanOf(view), trackController.duration, view.width));
    }
    return created;
    // oxlint-disable-next-line react/exhaustive-deps -- where it opens is decided once
  }, [trackController, fileId]);
  useEffect(() => {
    previousRef.current = { waveformViewport, fileId };
  }, [waveformViewport, fileId]);
  useEffect(() => {
    let lastPosition = trackController.state().position;
    return trackController.subscribe(() => {
      const { position } = trackController.state();
      if (position === lastPosition) return;
      waveformViewport.follow(lastPosition, position, matchMedia(REDUCED_MOTION).matches);
      lastPosition = position;
    });
  }, [trackController, waveformViewport]);
  return waveformViewport;
}

const getWaveformWidth = (): number => lastWidth;
export function setWaveformWidth(width: number): void {
  lastWidth = width;
}
