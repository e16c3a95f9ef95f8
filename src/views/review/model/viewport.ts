/** The stretch of a sound that the detail lane shows, and how its seconds lie on the lane's pixels. */

export interface Viewport {
  /** Seconds at the lane's left edge and at its right one. */
  readonly from: number;
  readonly to: number;
  /** CSS pixels; 0 until the lane is laid out. */
  readonly width: number;
}

/** The finest samples are 689 a second: closer than this nothing more can be seen of them. */
const MAX_PIXELS_PER_SECOND = 1_400;
/** While it plays the cursor is held here. */
const CURSOR_POSITION = 0.5;
/** Where the cursor stands after the lane was turned like a page. */
const PAGE_CURSOR_POSITION = 0.06;
/** A chosen position closer to an edge than this part of the view is brought to the middle. */
const EDGE_MARGIN = 0.03;
/** How much faster than the sound the lane may run to bring the cursor to its place. */
const MAX_CATCH_UP_RATE = 2;

export const spanOf = ({ from, to }: Viewport): number => to - from;
/** 0 where the lane is not laid out. */
export const pixelsPerSecond = (view: Viewport): number => (spanOf(view) > 0 ? view.width / spanOf(view) : 0);
/** CSS pixels from the lane's left edge; outside of the lane too. */
export const toX = (view: Viewport, seconds: number): number => (seconds - view.from) * pixelsPerSecond(view);
export const secondsAt = (view: Viewport, x: number): number => (view.width > 0 ? view.from + (x / view.width) * spanOf(view) : view.from);
export const isInView = ({ from, to }: Viewport, seconds: number): boolean => seconds >= from && seconds <= to;
/** Whether a part of `from` to `to` is to be seen. */
export const isRangeVisible = (view: Viewport, from: number, to: number): boolean => to >= view.from && from <= view.to;

export const fullView = (duration: number, width: number): Viewport => ({ from: 0, to: positiveOrZero(duration), width });
export const isFullView = (view: Viewport, duration: number): boolean => spanOf(view) >= positiveOrZero(duration) * (1 - 1e-9);

/** Seconds of the closest look. */
export const minSpan = (duration: number, width: number): number => Math.min(positiveOrZero(duration), positiveOrZero(width) / MAX_PIXELS_PER_SECOND);

/** So many seconds from `from` on; pushed back to within the sound, no closer than `minSpan`, no wider than the sound. */
export function createView(from: number, span: number, duration: number, width: number): Viewport {
  const maxSpan = positiveOrZero(duration);
  const clampedSpan = Math.min(maxSpan, Math.max(minSpan(duration, width), Number.isFinite(span) ? span : maxSpan));
  const start = Math.min(Math.max(0, Number.isFinite(from) ? from : 0), maxSpan - clampedSpan);
  return { from: start, to: start + clampedSpan, width };
}

/** The same stretch in a lane of another width. */
export const resizeView = (view: Viewport, width: number, duration: number): Viewport => createView(view.from, spanOf(view), duration, width);
export const panView = (view: Viewport, seconds: number, duration: number): Viewport => createView(view.from + seconds, spanOf(view), duration, view.width);
/** With `seconds` in its middle, as far as the sound's ends let it. */
export const centerView = (view: Viewport, seconds: number, duration: number): Viewport => panView(view, seconds - (view.from + view.to) / 2, duration);

/** `factor` above 1 looks closer. What lies at `seconds` stays under the hand. */
export function zoomView(view: Viewport, factor: number, seconds: number, duration: number): Viewport {
  if (!(factor > 0) || !Number.isFinite(factor)) return view;
  const { from, to } = createView(view.from, spanOf(view) / factor, duration, view.width);
  const fraction = spanOf(view) > 0 ? (seconds - view.from) / spanOf(view) : 0;
  return createView(seconds - fraction * (to - from), to - from, duration, view.width);
}

/** The overview's box after one of its edges was moved to `seconds`; the other edge stays. */
export function moveViewEdge(view: Viewport, edge: "from" | "to", seconds: number, duration: number): Viewport {
  const minimum = minSpan(duration, view.width);
  const from = edge === "from" ? Math.max(0, Math.min(seconds, view.to - minimum)) : view.from;
  const to = edge === "to" ? Math.min(positiveOrZero(duration), Math.max(seconds, view.from + minimum)) : view.to;
  return createView(from, to - from, duration, view.width);
}

/** Two fingers that held `heldSeconds` (seconds) are now at `pixels` (pixels): what was under each is under it again. */
export function pinchView(view: Viewport, heldSeconds: readonly [number, number], pixels: readonly [number, number], duration: number): Viewport {
  const [left, right] = heldSeconds[0] <= heldSeconds[1] ? heldSeconds : [heldSeconds[1], heldSeconds[0]];
  const [first, last] = pixels[0] <= pixels[1] ? pixels : [pixels[1], pixels[0]];
  if (!(last > first) || !(right > left) || !(view.width > 0)) return view;
  const span = createView(0, ((right - left) / (last - first)) * view.width, duration, view.width).to;
  const middle = (first + last) / 2 / view.width;
  return createView((left + right) / 2 - middle * span, span, duration, view.width);
}

/**
 * Where the lane stands one picture later, when the sound went from `previous` to `current`.
 * The cursor runs to the middle and is held there while the sound passes; wherever it stands nothing jumps.
 * `reducedMotion`: like the pages of a book instead, for people who want less motion.
 */
export function followPlayback(view: Viewport, previous: number, current: number, duration: number, reducedMotion: boolean): Viewport {
  if (!isInView(view, previous) || current <= previous) return view;
  const span = spanOf(view);
  if (reducedMotion) return current > view.to ? createView(current - span * PAGE_CURSOR_POSITION, span, duration, view.width) : view;
  const distance = current - (view.from + span * CURSOR_POSITION);
  return distance > 0 ? panView(view, Math.min(distance, (current - previous) * MAX_CATCH_UP_RATE), duration) : view;
}

/** A position that was chosen is to be seen, with some of what is around it: the same view where it is well inside, else around it. */
export function revealPosition(view: Viewport, seconds: number, duration: number): Viewport {
  const margin = spanOf(view) * EDGE_MARGIN;
  return seconds >= view.from + margin && seconds <= view.to - margin ? view : centerView(view, seconds, duration);
}

const positiveOrZero = (value: number): number => (Number.isFinite(value) && value > 0 ? value : 0);
