/** Connects comments to playback: reads the position, and finds the comments that belong to one. */
import { useSyncExternalStore } from "react";
import type { TrackController, TrackControllerState } from "../../../audio/player/track-controller.ts";
import type { PlaybackPosition } from "./anchor.ts";
import type { TimedItem } from "./marker-layout.ts";

/** Milliseconds for which a point comment stays current, unless another comment begins. */
export const POINT_DURATION_MS = 5_000;
/** Milliseconds by which a seek to a comment may land before it. */
const SEEK_TOLERANCE_MS = 20;
/** During playback, going back within this many milliseconds of a comment's start goes to the comment before it. */
const DOUBLE_BACK_MS = 1_500;

const subscribeToNothing = () => () => {};

/** What comments use of the file's playback: position, loop and seeking. */
export type CommentPlayback = Pick<TrackController, "name" | "duration" | "state" | "subscribe" | "seek" | "play">;

/** Applies `select` to the position in seconds (0 without playback) and rerenders only when the result changes. */
export function usePlaybackValue<T extends string | number | boolean | null>(playback: CommentPlayback | null, select: (seconds: number) => T): T {
  return useSyncExternalStore(playback?.subscribe ?? subscribeToNothing, () => select(playback?.state().position ?? 0));
}

export function readPosition(playback: CommentPlayback | null): PlaybackPosition {
  const { position: seconds, loop = null } = playback?.state() ?? { position: 0 };
  return { seconds, loop: loop?.on ? loop : null };
}

/** Returns the active item that began last, or null if none is active. `items` must be sorted by time. */
export function findCurrent<T extends TimedItem>(items: readonly T[], positionMs: number): T | null {
  const isActive = ({ startMs, endMs }: TimedItem) =>
    startMs !== null && startMs <= positionMs + SEEK_TOLERANCE_MS && positionMs < (endMs ?? startMs + POINT_DURATION_MS);
  return items.findLast(isActive) ?? null;
}

/** Returns the start in milliseconds of the next (or previous) comment, or null if there is none. */
export function adjacentStart(
  items: readonly TimedItem[],
  { position, isPlaying }: Pick<TrackControllerState, "position" | "isPlaying">,
  step: 1 | -1,
): number | null {
  const positionMs = position * 1_000;
  const starts = items.flatMap(({ startMs }) => startMs ?? []);
  if (step > 0) return starts.find((startMs) => startMs > positionMs + SEEK_TOLERANCE_MS) ?? null;
  const previous = starts.findLast((startMs) => startMs < positionMs - SEEK_TOLERANCE_MS) ?? null;
  if (!isPlaying || previous === null || positionMs - previous >= DOUBLE_BACK_MS) return previous;
  return starts.findLast((startMs) => startMs < previous) ?? previous;
}
