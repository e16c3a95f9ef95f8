/** The stretch of a sound that the detail lane shows, and how its seconds lie on the lane's pixels. */

export interface Viewport {
  /** Seconds at the lane's left edge and at its right one. */
  readonly from: number;
  readonly to: number;
  /** CSS pixels; 0 until the lane is laid out. */
  readonly width: number;
}

/** The finest samples are 689 a second: closer than this nothing more can be seen of them. */
const MOST_PIXELS_PER_SECOND = 1_400;
/** While it plays the cursor is held here. */
const CURSOR_AT = 0.5;
/** Where the cursor stands after the lane was turned like a page. */
const PAGE_AT = 0.06;
/** A chosen position closer to an edge than this part of the view is brought to the middle. */
const EDGE = 0.03;
/** How much faster than the sound the lane may run to bring the cursor to its place. */
const CATCH_UP = 2;

export const spanOf = ({ from, to }: Viewport): number => to - from;
/** 0 where the lane is not laid out. */
export const pixelsPerSecond = (view: Viewport): number => (spanOf(view) > 0 ? view.width / spanOf(view) : 0);
/** CSS pixels from the lane's left edge; outside of the lane too. */
export const xOf = (view: Viewport, seconds: number): number => (seconds - view.from) * pixelsPerSecond(view);
export const secondsAt = (view: Viewport, x: number): number => (view.width > 0 ? view.from + (x / view.width) * spanOf(view) : view.from);
export const isInside = ({ from, to }: Viewport, seconds: number): boolean => seconds >= from && seconds <= to;
/** Whether a part of `from` to `to` is to be seen. */
export const isTouched = (view: Viewport, from: number, to: number): boolean => to >= view.from && from <= view.to;

export const whole = (duration: number, width: number): Viewport => ({ from: 0, to: positive(duration), width });
export const isWhole = (view: Viewport, duration: number): boolean => spanOf(view) >= positive(duration) * (1 - 1e-9);

/** Seconds of the closest look. */
export const leastSpan = (duration: number, width: number): number => Math.min(positive(duration), positive(width) / MOST_PIXELS_PER_SECOND);

/** So many seconds from `from` on; pushed back to within the sound, no closer than `leastSpan`, no wider than the sound. */
export function looking(from: number, span: number, duration: number, width: number): Viewport {
  const most = positive(duration);
  const wide = Math.min(most, Math.max(leastSpan(duration, width), Number.isFinite(span) ? span : most));
  const start = Math.min(Math.max(0, Number.isFinite(from) ? from : 0), most - wide);
  return { from: start, to: start + wide, width };
}

/** The same stretch in a lane of another width. */
export const resized = (view: Viewport, width: number, duration: number): Viewport => looking(view.from, spanOf(view), duration, width);
export const moved = (view: Viewport, seconds: number, duration: number): Viewport => looking(view.from + seconds, spanOf(view), duration, view.width);
/** With `seconds` in its middle, as far as the sound's ends let it. */
export const centered = (view: Viewport, seconds: number, duration: number): Viewport => moved(view, seconds - (view.from + view.to) / 2, duration);

/** `factor` above 1 looks closer. What lies at `seconds` stays under the hand. */
export function zoomed(view: Viewport, factor: number, seconds: number, duration: number): Viewport {
  if (!(factor > 0) || !Number.isFinite(factor)) return view;
  const { from, to } = looking(view.from, spanOf(view) / factor, duration, view.width);
  const part = spanOf(view) > 0 ? (seconds - view.from) / spanOf(view) : 0;
  return looking(seconds - part * (to - from), to - from, duration, view.width);
}

/** The overview's box after one of its edges was moved to `seconds`; the other edge stays. */
export function edged(view: Viewport, edge: "from" | "to", seconds: number, duration: number): Viewport {
  const least = leastSpan(duration, view.width);
  const from = edge === "from" ? Math.max(0, Math.min(seconds, view.to - least)) : view.from;
  const to = edge === "to" ? Math.min(positive(duration), Math.max(seconds, view.from + least)) : view.to;
  return looking(from, to - from, duration, view.width);
}

/** Two fingers that held `held` (seconds) are now at `at` (pixels): what was under each is under it again. */
export function pinched(view: Viewport, held: readonly [number, number], at: readonly [number, number], duration: number): Viewport {
  const [left, right] = held[0] <= held[1] ? held : [held[1], held[0]];
  const [first, last] = at[0] <= at[1] ? at : [at[1], at[0]];
  if (!(last > first) || !(right > left) || !(view.width > 0)) return view;
  const span = looking(0, ((right - left) / (last - first)) * view.width, duration, view.width).to;
  const middle = (first + last) / 2 / view.width;
  return looking((left + right) / 2 - middle * span, span, duration, view.width);
}

/**
 * Where the lane stands one picture later, when the sound went from `was` to `now`.
 * The cursor runs to the middle and is held there while the sound passes; wherever it stands nothing jumps.
 * `turning`: like the pages of a book instead, for people who want less motion.
 */
export function following(view: Viewport, was: number, now: number, duration: number, turning: boolean): Viewport {
  if (!isInside(view, was) || now <= was) return view;
  const span = spanOf(view);
  if (turning) return now > view.to ? looking(now - span * PAGE_AT, span, duration, view.width) : view;
  const missing = now - (view.from + span * CURSOR_AT);
  return missing > 0 ? moved(view, Math.min(missing, (now - was) * CATCH_UP), duration) : view;
}

/** A position that was chosen is to be seen, with some of what is around it: the same view where it is well inside, else around it. */
export function revealing(view: Viewport, seconds: number, duration: number): Viewport {
  const edge = spanOf(view) * EDGE;
  return seconds >= view.from + edge && seconds <= view.to - edge ? view : centered(view, seconds, duration);
}

const positive = (value: number): number => (Number.isFinite(value) && value > 0 ? value : 0);
