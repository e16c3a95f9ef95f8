/**
 * Models the time range that the detail waveform shows and its mapping to pixels. A file's page has one viewport store outside React, which overview,
 * detail waveform, and markers follow frame by frame.
 */
import { useEffect, useMemo, useRef } from "react";
import type { Loop } from "../../../audio/player/loop.ts";
import { createEmitter } from "../../../lib/store.ts";
import { useClient } from "../../../client/client.ts";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { isContinuous } from "../../../audio/player/track.ts";

export interface VisibleRange {
  /** Seconds at the left and right edges. */
  readonly from: number;
  readonly to: number;
  /** CSS pixels; 0 before layout. */
  readonly width: number;
}

/** Maximum zoom. The finest peaks have 689 points per second, so a closer view shows no more detail. */
const MAX_PIXELS_PER_SECOND = 1_400;
/** Fraction of the view at which the playhead stays during playback. */
const PLAYHEAD_POSITION = 0.5;
/** Fraction of the view at which the playhead is placed after a page turn. */
const PAGE_PLAYHEAD_POSITION = 0.06;
/** A chosen position closer to an edge than this fraction of the view is centered. */
const EDGE_MARGIN = 0.03;
/** Maximum scroll speed relative to playback while the playhead moves to its fixed position. */
const MAX_CATCH_UP_RATE = 2;

/** A pointer that moves further than this many CSS pixels drags; otherwise it clicks. */
export const CLICK_TOLERANCE_PX = 4;

export const spanOf = ({ from, to }: VisibleRange): number => to - from;
/** Returns 0 before layout. */
export const pixelsPerSecond = (view: VisibleRange): number => (spanOf(view) > 0 ? view.width / spanOf(view) : 0);
/** Returns CSS pixels from the left edge, also for positions outside the view. */
export const toX = (view: VisibleRange, seconds: number): number => (seconds - view.from) * pixelsPerSecond(view);
export const secondsAt = (view: VisibleRange, x: number): number => (view.width > 0 ? view.from + (x / view.width) * spanOf(view) : view.from);
export const isInView = ({ from, to }: VisibleRange, seconds: number): boolean => seconds >= from && seconds <= to;
/** Returns whether any part of `from` to `to` is in view. */
export const isRangeVisible = (view: VisibleRange, from: number, to: number): boolean => to >= view.from && from <= view.to;
/** Returns whether a loop, also one that is off, is shown as a selection: part of it is in view, and it is not the whole track. */
export const isSelectionVisible = (view: VisibleRange, { from, to }: Pick<Loop, "from" | "to">, duration: number): boolean =>
  isRangeVisible(view, from, to) && (from > 0 || to < duration);

export const fullView = (duration: number, width: number): VisibleRange => ({ from: 0, to: positiveOrZero(duration), width });
export const isFullView = (view: VisibleRange, duration: number): boolean => spanOf(view) >= positiveOrZero(duration) * (1 - 1e-9);

/** Returns the span in seconds at maximum zoom. */
export const minSpan = (duration: number, width: number): number => Math.min(positiveOrZero(duration), positiveOrZero(width) / MAX_PIXELS_PER_SECOND);

/** Returns a view of `span` seconds from `from`, moved inside the track, no shorter than `minSpan`, and no longer than the track. */
export function createView(from: number, span: number, duration: number, width: number): VisibleRange {
  const maxSpan = positiveOrZero(duration);
  const clampedSpan = Math.min(maxSpan, Math.max(minSpan(duration, width), Number.isFinite(span) ? span : maxSpan));
  const start = Math.min(Math.max(0, Number.isFinite(from) ? from : 0), maxSpan - clampedSpan);
  return { from: start, to: start + clampedSpan, width };
}

/** Returns the view at another width, with the same time range if the zoom limits allow it. */
export const resizeView = (view: VisibleRange, width: number, duration: number): VisibleRange => createView(view.from, spanOf(view), duration, width);
export const panView = (view: VisibleRange, seconds: number, duration: number): VisibleRange =>
  createView(view.from + seconds, spanOf(view), duration, view.width);
/** Centers `seconds`, as far as the ends of the track allow. */
export const centerView = (view: VisibleRange, seconds: number, duration: number): VisibleRange => panView(view, seconds - (view.from + view.to) / 2, duration);

/** Zooms in if `factor` is above 1. The position `seconds` stays at the same pixel. */
export function zoomView(view: VisibleRange, factor: number, seconds: number, duration: number): VisibleRange {
  if (!(factor > 0) || !Number.isFinite(factor)) return view;
  const { from, to } = createView(view.from, spanOf(view) / factor, duration, view.width);
  const fraction = spanOf(view) > 0 ? (seconds - view.from) / spanOf(view) : 0;
  return createView(seconds - fraction * (to - from), to - from, duration, view.width);
}

/** Returns the view after one edge moves to `seconds` and the other stays. */
export function moveViewEdge(view: VisibleRange, edge: "from" | "to", seconds: number, duration: number): VisibleRange {
  const minimum = minSpan(duration, view.width);
  const from = edge === "from" ? Math.max(0, Math.min(seconds, view.to - minimum)) : view.from;
  const to = edge === "to" ? Math.min(positiveOrZero(duration), Math.max(seconds, view.from + minimum)) : view.to;
  return createView(from, to - from, duration, view.width);
}

/** Returns the view in which the positions held by two fingers, `heldSeconds`, lie under the fingers' current `pixels`. */
export function pinchView(view: VisibleRange, heldSeconds: readonly [number, number], pixels: readonly [number, number], duration: number): VisibleRange {
  const [left, right] = heldSeconds[0] <= heldSeconds[1] ? heldSeconds : [heldSeconds[1], heldSeconds[0]];
  const [first, last] = pixels[0] <= pixels[1] ? pixels : [pixels[1], pixels[0]];
  if (!(last > first) || !(right > left) || !(view.width > 0)) return view;
  const span = createView(0, ((right - left) / (last - first)) * view.width, duration, view.width).to;
  const middle = (first + last) / 2 / view.width;
  return createView((left + right) / 2 - middle * span, span, duration, view.width);
}

/**
 * Returns the view one frame later, after playback moved from `previous` to `current`. The view scrolls without jumps
 * until the playhead is in the middle and then keeps the playhead there. With `isMotionReduced`, the view turns pages
 * instead of scrolling.
 */
export function followPlayback(view: VisibleRange, previous: number, current: number, duration: number, isMotionReduced: boolean): VisibleRange {
  if (!isInView(view, previous) || current <= previous) return view;
  const span = spanOf(view);
  if (isMotionReduced) return current > view.to ? createView(current - span * PAGE_PLAYHEAD_POSITION, span, duration, view.width) : view;
  const distance = current - (view.from + span * PLAYHEAD_POSITION);
  return distance > 0 ? panView(view, Math.min(distance, (current - previous) * MAX_CATCH_UP_RATE), duration) : view;
}

/** Returns the same view if a chosen position is well inside, or else a view centered on the position. */
export function revealPosition(view: VisibleRange, seconds: number, duration: number): VisibleRange {
  const margin = spanOf(view) * EDGE_MARGIN;
  return seconds >= view.from + margin && seconds <= view.to - margin ? view : centerView(view, seconds, duration);
}

const positiveOrZero = (value: number): number => (Number.isFinite(value) && value > 0 ? value : 0);

/** Songs open fitted to the whole file. In longer audio that would hide the shape of speech and sections, which the overview shows already. */
const MAX_FITTED_SECONDS = 600;
/** Initial span of longer audio, in seconds. */
const LONG_AUDIO_SPAN_SECONDS = 120;

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/** Creates the store, which shows a whole song, or the part of longer audio around `position`. A known `initialWidth` in CSS pixels makes the first paint correct. */
export function createViewportStore(duration: number, position: number, initialWidth = 0) {
  const span = duration > MAX_FITTED_SECONDS ? LONG_AUDIO_SPAN_SECONDS : duration;
  let view = createView(position > span / 2 ? position - span / 2 : 0, span, duration, initialWidth);
  let suspendCount = 0;
  const { emit, subscribe } = createEmitter();

  function setView(next: VisibleRange) {
    if (next.from === view.from && next.to === view.to && next.width === view.width) return;
    view = next;
    emit();
  }

  return {
    duration,
    view: () => view,
    /** Calls `listener` after each change. Returns the unsubscribe function. */
    subscribe,
    setView,
    setWidth(width: number) {
      if (width > 0) setView(resizeView(view, width, duration));
    },
    /** Zooms around `seconds`. A `factor` above 1 zooms in. */
    zoom: (factor: number, seconds: number) => setView(zoomView(view, factor, seconds, duration)),
    /** Zooms around the playhead, or around the middle if the playhead is out of view. */
    zoomAtPlayhead(factor: number, playheadSeconds: number) {
      setView(zoomView(view, factor, isInView(view, playheadSeconds) ? playheadSeconds : (view.from + view.to) / 2, duration));
    },
    pan: (seconds: number) => setView(panView(view, seconds, duration)),
    moveEdge: (edge: "from" | "to", seconds: number) => setView(moveViewEdge(view, edge, seconds, duration)),
    fit: () => setView(fullView(duration, view.width)),
    /** Shows a position. The view stays if the position is already well inside. */
    reveal: (seconds: number) => setView(revealPosition(view, seconds, duration)),
    /** Centers the view on a position with the given span. */
    centerOn: (seconds: number, spanSeconds = spanOf(view)) => setView(createView(seconds - spanSeconds / 2, spanSeconds, duration, view.width)),
    /** Stops the view from following playback while the user drags or scrolls it. Returns the function that resumes following. */
    suspendFollowing() {
      suspendCount++;
      let isSuspended = true;
      return () => {
        if (isSuspended) suspendCount--;
        isSuspended = false;
      };
    },
    /** Follows a position change: continuous playback scrolls the view, and a jump reveals the new position. */
    follow(previous: number, current: number, isMotionReduced: boolean) {
      if (suspendCount > 0 || previous === current) return;
      setView(isContinuous(previous, current) ? followPlayback(view, previous, current, duration, isMotionReduced) : revealPosition(view, current, duration));
    },
  };
}

/** The store of the visible range; a file's page has one. */
export type ViewportStore = ReturnType<typeof createViewportStore>;

/**
 * Creates the viewport store of a track controller. The visible range follows playback, and another version of the same
 * file keeps it.
 */
export function useViewportStore(trackController: TrackController, fileId: number, start: number | null): ViewportStore {
  const { viewMemory } = useClient();
  const previousRef = useRef<{ viewport: ViewportStore; fileId: number } | null>(null);
  const viewport = useMemo(() => {
    const { position } = trackController.state();
    const created = createViewportStore(trackController.duration, position > 0 ? position : (start ?? 0), viewMemory.waveformWidth.get());
    const previous = previousRef.current;
    if (previous?.fileId === fileId && previous.viewport.duration > 0) {
      const view = previous.viewport.view();
      created.setView(createView(view.from, spanOf(view), trackController.duration, view.width));
    }
    return created;
    // oxlint-disable-next-line react/exhaustive-deps -- the start position is used only once
  }, [trackController, fileId]);
  useEffect(() => {
    previousRef.current = { viewport, fileId };
  }, [viewport, fileId]);
  useEffect(() => {
    let lastPosition = trackController.state().position;
    return trackController.subscribe(() => {
      const { position } = trackController.state();
      if (position === lastPosition) return;
      viewport.follow(lastPosition, position, matchMedia(REDUCED_MOTION).matches);
      lastPosition = position;
    });
  }, [trackController, viewport]);
  return viewport;
}
