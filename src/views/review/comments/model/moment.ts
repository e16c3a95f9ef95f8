/** The place that a comment is written about: the moment of the first key stays while the sound goes on, unless its writer says otherwise. */

import type { CommentAnchor, CommentDraft } from "../../../../queries/drafts/comment-drafts.ts";

export const FOLLOW_ANCHOR: CommentAnchor = { kind: "follow" };
type FixedAnchor = Extract<CommentAnchor, { kind: "at" }>;

/** Where the sound stands, and what of it is heard again and again; seconds. */
export interface PlaybackPosition {
  seconds: number;
  loop: { from: number; to: number } | null;
}

const secondsToMs = (seconds: number) => Math.max(0, Math.round(seconds * 1_000));
/** Who hears a stretch again and again means that. */
function anchorToPlayback({ seconds, loop }: PlaybackPosition): CommentAnchor {
  const anchor = loop ? rangeAnchor(loop.from * 1_000, loop.to * 1_000) : withAnchorEdge(FOLLOW_ANCHOR, "in", seconds);
  return { ...anchor, auto: true };
}

/** The text has changed. */
export function withText({ text: previousText, mark: anchor }: CommentDraft, text: string, playback: PlaybackPosition): CommentDraft {
  if (anchor.kind === "follow" && previousText === "" && text !== "") return { text, mark: anchorToPlayback(playback) };
  if (anchor.kind === "at" && anchor.auto && text === "" && previousText !== "") return { text, mark: FOLLOW_ANCHOR };
  return { text, mark: anchor };
}

/** What was chosen with this change is about the version that is shown; what was chosen before, about its own. */
export function withVersion(previous: CommentDraft, next: CommentDraft, version: number): CommentDraft {
  const { mark: anchor } = next;
  if (anchor.kind === "follow" || (anchor === previous.mark && (anchor.kind === "at" || previous.text !== ""))) return next;
  return { ...next, mark: { ...anchor, version } };
}

/** Which version is meant. */
export const resolveVersion = (anchor: CommentAnchor, currentVersion: number): number =>
  anchor.kind === "follow" ? currentVersion : (anchor.version ?? currentVersion);

/** Words that come back in front of others: those keep their place, and the time of what came back (`timeLabel`) stands in words. */
export function prependDraft(previous: CommentDraft, returned: CommentDraft, timeLabel: string | null): CommentDraft {
  if (previous.text === "") return returned;
  return { ...previous, text: `${timeLabel === null ? "" : `[${timeLabel}] `}${returned.text}\n${previous.text}` };
}

/** The field was opened by its key: what is meant was just heard. What was chosen before stays. */
export const openDraft = (draft: CommentDraft, playback: PlaybackPosition): CommentDraft =>
  draft.mark.kind === "follow" ? { ...draft, mark: anchorToPlayback(playback) } : draft;

/** The field was left. */
export const closeDraft = (draft: CommentDraft): CommentDraft =>
  draft.text === "" && draft.mark.kind === "at" && draft.mark.auto ? { ...draft, mark: FOLLOW_ANCHOR } : draft;

/** Shorter than this nobody means a range, in milliseconds. */
export const MIN_RANGE_MS = 50;

/** From here to there, whichever comes first; of no length it is a point. */
export function rangeAnchor(fromMs: number, toMs: number): FixedAnchor {
  const [at, end] = [Math.round(Math.max(0, Math.min(fromMs, toMs))), Math.round(Math.max(fromMs, toMs))];
  return { kind: "at", at, end: end - at < MIN_RANGE_MS ? null : end, auto: false };
}

/** The sound stands at `seconds`: the range begins there (ends there); where the other end lies on the wrong side, it is let go of. */
export function withAnchorEdge(anchor: CommentAnchor, edge: "in" | "out", seconds: number): FixedAnchor {
  const nowMs = secondsToMs(seconds);
  if (anchor.kind !== "at") return { kind: "at", at: nowMs, end: null, auto: false };
  if (edge === "out") return rangeAnchor(anchor.at, nowMs);
  const end = anchor.end ?? anchor.at;
  return end - nowMs >= MIN_RANGE_MS ? { kind: "at", at: nowMs, end, auto: false } : { kind: "at", at: nowMs, end: null, auto: false };
}

/** What is sent: of the sound as it stands at `seconds` where nothing was marked. A range ends with the sound. */
export function resolveAnchor(anchor: CommentAnchor, seconds: number, durationMs: number): { at: number | null; end: number | null } {
  if (anchor.kind === "none") return { at: null, end: null };
  const maxMs = durationMs > 0 ? Math.floor(durationMs) : Number.MAX_SAFE_INTEGER;
  const at = Math.min(anchor.kind === "at" ? anchor.at : secondsToMs(seconds), maxMs);
  const end = anchor.kind === "at" && anchor.end !== null ? Math.min(anchor.end, maxMs) : null;
  return { at, end: end !== null && end > at ? end : null };
}
