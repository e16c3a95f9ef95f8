/** The place that a comment is written about: the moment of the first key stays while the sound goes on, unless its writer says otherwise. */

import type { Mark, Written } from "../../../../queries/drafts/comment-drafts.ts";

export const FOLLOW: Mark = { kind: "follow" };
type Placed = Extract<Mark, { kind: "at" }>;

/** Where the sound stands, and what of it is heard again and again; seconds. */
export interface Now {
  seconds: number;
  loop: { from: number; to: number } | null;
}

const millis = (seconds: number) => Math.max(0, Math.round(seconds * 1_000));
/** Who hears a stretch again and again means that. */
function pinned({ seconds, loop }: Now): Mark {
  const mark = loop ? ranged(loop.from * 1_000, loop.to * 1_000) : bounded(FOLLOW, "in", seconds);
  return { ...mark, auto: true };
}

/** The text has changed. */
export function typed({ text: before, mark }: Written, text: string, now: Now): Written {
  if (mark.kind === "follow" && before === "" && text !== "") return { text, mark: pinned(now) };
  if (mark.kind === "at" && mark.auto && text === "" && before !== "") return { text, mark: FOLLOW };
  return { text, mark };
}

/** What was chosen with this change is about the version that is shown; what was chosen before, about its own. */
export function stamped(before: Written, after: Written, version: number): Written {
  const { mark } = after;
  if (mark.kind === "follow" || (mark === before.mark && (mark.kind === "at" || before.text !== ""))) return after;
  return { ...after, mark: { ...mark, version } };
}

/** Which version is meant. */
export const versionOf = (mark: Mark, shown: number): number => (mark.kind === "follow" ? shown : (mark.version ?? shown));

/** Words that come back in front of others: those keep their place, and the time of what came back (`place`) stands in words. */
export function joined(before: Written, back: Written, place: string | null): Written {
  if (before.text === "") return back;
  return { ...before, text: `${place === null ? "" : `[${place}] `}${back.text}\n${before.text}` };
}

/** The field was opened by its key: what is meant was just heard. What was chosen before stays. */
export const opened = (written: Written, now: Now): Written => (written.mark.kind === "follow" ? { ...written, mark: pinned(now) } : written);

/** The field was left. */
export const left = (written: Written): Written =>
  written.text === "" && written.mark.kind === "at" && written.mark.auto ? { ...written, mark: FOLLOW } : written;

/** Shorter than this nobody means a range, in milliseconds. */
export const LEAST_RANGE = 50;

/** From here to there, whichever comes first; of no length it is a point. */
export function ranged(fromMs: number, toMs: number): Placed {
  const [at, end] = [Math.round(Math.max(0, Math.min(fromMs, toMs))), Math.round(Math.max(fromMs, toMs))];
  return { kind: "at", at, end: end - at < LEAST_RANGE ? null : end, auto: false };
}

/** The sound stands at `seconds`: the range begins there (ends there); where the other end lies on the wrong side, it is let go of. */
export function bounded(mark: Mark, edge: "in" | "out", seconds: number): Placed {
  const now = millis(seconds);
  if (mark.kind !== "at") return { kind: "at", at: now, end: null, auto: false };
  if (edge === "out") return ranged(mark.at, now);
  const end = mark.end ?? mark.at;
  return end - now >= LEAST_RANGE ? { kind: "at", at: now, end, auto: false } : { kind: "at", at: now, end: null, auto: false };
}

/** What is sent: of the sound as it stands at `seconds` where nothing was marked. A range ends with the sound. */
export function placeOf(mark: Mark, seconds: number, durationMs: number): { at: number | null; end: number | null } {
  if (mark.kind === "none") return { at: null, end: null };
  const most = durationMs > 0 ? Math.floor(durationMs) : Number.MAX_SAFE_INTEGER;
  const at = Math.min(mark.kind === "at" ? mark.at : millis(seconds), most);
  const end = mark.kind === "at" && mark.end !== null ? Math.min(mark.end, most) : null;
  return { at, end: end !== null && end > at ? end : null };
}
