/** How fast uploads go, and how long they will take at that: over the last seconds, so that it follows the line and does not flicker. */
import type { Upload } from "../../queries/uploads/upload.ts";

export interface Rate {
  /** The last look at each upload. */
  sent: ReadonlyMap<string, number>;
  /** Bytes that went out until each look, oldest first. */
  looks: readonly { at: number; bytes: number }[];
}

export const NO_RATE: Rate = { sent: new Map(), looks: [] };

const WINDOW_MS = 15_000;
/** Before this much time has passed any number would be a guess. */
const TELLS_AFTER_MS = 2_000;
/** A first look that shows more is one at an upload that goes on where an earlier one stopped. */
const MOST_AT_FIRST = 32_000_000;

/** The rate after one more look at `uploads`; `now` in milliseconds. */
export function look(rate: Rate, uploads: readonly Pick<Upload, "id" | "sent">[], now: number): Rate {
  let bytes = rate.looks.at(-1)?.bytes ?? 0;
  const sent = new Map<string, number>();
  for (const one of uploads) {
    const before = rate.sent.get(one.id);
    sent.set(one.id, one.sent);
    if (before === undefined || (before === 0 && one.sent > MOST_AT_FIRST)) continue;
    bytes += Math.max(0, one.sent - before);
  }
  return { sent, looks: [...rate.looks.filter(({ at }) => at > now - WINDOW_MS), { at: now, bytes }] };
}

/** Bytes a second; null while that cannot be told. */
export function speedOf({ looks }: Rate): number | null {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last || last.at - first.at < TELLS_AFTER_MS) return null;
  return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
}

/** Seconds until `bytesLeft` are sent; null while that cannot be told, or where nothing moves. */
export function secondsLeft(bytesLeft: number, speed: number | null): number | null {
  return speed === null || speed <= 0 ? null : bytesLeft / speed;
}
