/** Manages the anchor of a comment draft. The first keystroke or file fixes the anchor at the playback position until the author changes it. */

import { joinTexts, prependText } from "../../../sync/drafts/draft-text.ts";
import type { CommentAnchor, CommentDraft } from "../../../sync/drafts/use-comment-draft.ts";

export const FOLLOW_ANCHOR: CommentAnchor = { kind: "follow" };
type FixedAnchor = Extract<CommentAnchor, { kind: "at" }>;

/** Playback position and active loop, in seconds. */
export interface PlaybackPosition {
  seconds: number;
  loop: { from: number; to: number } | null;
}

const secondsToMs = (seconds: number) => Math.max(0, Math.round(seconds * 1_000));
/** Anchors the draft to the active loop, or to the playback position without a loop. */
function anchorToPlayback({ seconds, loop }: PlaybackPosition): CommentAnchor {
  const anchor = loop ? rangeAnchor(loop.from * 1_000, loop.to * 1_000) : withAnchorEdge(FOLLOW_ANCHOR, "start", seconds);
  return { ...anchor, auto: true };
}

/** Applies a text change: the first character fixes the anchor and clearing the text releases an automatic anchor. */
export function withText(previous: CommentDraft, text: string, playback: PlaybackPosition): CommentDraft {
  const { text: previousText, anchor } = previous;
  if (anchor.kind === "follow" && previousText === "" && text !== "") return { ...previous, text, anchor: anchorToPlayback(playback) };
  return previousText === "" ? { ...previous, text } : closeDraft({ ...previous, text });
}

/** Applies that the draft now has files, or none any more. The first file fixes the anchor as text does; `playback` is null without playback. */
export function withFiles(previous: CommentDraft, hasFiles: boolean, playback: PlaybackPosition | null): CommentDraft {
  const draft = { ...previous, hasFiles };
  if (!hasFiles) return closeDraft(draft);
  return playback && previous.text === "" ? openDraft(draft, playback) : draft;
}

/** Binds a newly chosen anchor to the version shown. An anchor chosen earlier keeps its own version. */
export function withVersion(previous: CommentDraft, next: CommentDraft, version: number): CommentDraft {
  const { anchor } = next;
  if (anchor.kind === "follow" || (anchor === previous.anchor && (anchor.kind === "at" || previous.text !== ""))) return next;
  return { ...next, anchor: { ...anchor, version } };
}

/** Returns the version the anchor refers to. */
export const resolveVersion = (anchor: CommentAnchor, currentVersion: number): number =>
  anchor.kind === "follow" ? currentVersion : (anchor.version ?? currentVersion);

/** Prepends returned text to a draft that has text or files. The draft keeps its anchor, and `timeLabel` preserves the returned text's time as text. */
export function prependDraft(previous: CommentDraft, returned: Pick<CommentDraft, "text" | "mentions" | "anchor">, timeLabel: string | null): CommentDraft {
  if (previous.text === "" && !previous.hasFiles) return { ...previous, ...returned };
  const { text, mentions } = prependText(previous, joinTexts({ text: timeLabel === null ? "" : `[${timeLabel}] `, mentions: [] }, returned));
  return { ...previous, text, mentions: [...mentions] };
}

/** Anchors the draft at the playback position when a key opens the composer. An anchor chosen earlier stays. */
export const openDraft = (draft: CommentDraft, playback: PlaybackPosition): CommentDraft =>
  draft.anchor.kind === "follow" ? { ...draft, anchor: anchorToPlayback(playback) } : draft;

/** Releases an automatic anchor when nothing is left to send or the composer loses the focus without text and files. */
export const closeDraft = (draft: CommentDraft): CommentDraft =>
  draft.text === "" && !draft.hasFiles && draft.anchor.kind === "at" && draft.anchor.auto ? { ...draft, anchor: FOLLOW_ANCHOR } : draft;

/** Shortest range in milliseconds. A shorter one becomes a point. */
export const MIN_RANGE_MS = 50;

/** Returns the range between two positions in either order. A range shorter than `MIN_RANGE_MS` becomes a point. */
export function rangeAnchor(fromMs: number, toMs: number): FixedAnchor {
  const [startMs, endMs] = [Math.round(Math.max(0, Math.min(fromMs, toMs))), Math.round(Math.max(fromMs, toMs))];
  return { kind: "at", startMs, endMs: endMs - startMs < MIN_RANGE_MS ? null : endMs, auto: false };
}

/**
 * Moves the start or end of the range to `seconds`. A new start at or after the end drops the end, and
 * a new end before the start swaps the two.
 */
export function withAnchorEdge(anchor: CommentAnchor, edge: "start" | "end", seconds: number): FixedAnchor {
  const nowMs = secondsToMs(seconds);
  if (anchor.kind !== "at") return { kind: "at", startMs: nowMs, endMs: null, auto: false };
  if (edge === "end") return rangeAnchor(anchor.startMs, nowMs);
  const endMs = anchor.endMs ?? anchor.startMs;
  return { kind: "at", startMs: nowMs, endMs: endMs - nowMs >= MIN_RANGE_MS ? endMs : null, auto: false };
}

/** Returns the anchor to send, in milliseconds. An unanchored draft uses the playback position `seconds`. Positions are clamped to the duration. */
export function resolveAnchor(anchor: CommentAnchor, seconds: number, durationMs: number): { startMs: number | null; endMs: number | null } {
  if (anchor.kind === "none") return { startMs: null, endMs: null };
  const maxMs = durationMs > 0 ? Math.floor(durationMs) : Number.MAX_SAFE_INTEGER;
  const startMs = Math.min(anchor.kind === "at" ? anchor.startMs : secondsToMs(seconds), maxMs);
  const endMs = anchor.kind === "at" && anchor.endMs !== null ? Math.min(anchor.endMs, maxMs) : null;
  return { startMs, endMs: endMs !== null && endMs > startMs ? endMs : null };
}
