/** How fast uploads go, and how long they will take at that: over the last seconds, so that it follows the line and does not flicker. */
import type { Upload } from "../../queries/uploads/upload.ts";

export interface Rate {
  /** The last look at each upload. */
  sent: ReadonlyMap<string, number>;
  /** Bytes that went out until each look, oldest first. */
  samples: readonly { at: number; bytes: number }[];
}

export const NO_RATE: Rate = { sent: new Map(), samples: [] };

const WINDOW_MS = 15_000;
/** Before this much time has passed any number would be a guess. */
const MIN_WINDOW_MS = 2_000;
/** A first look that shows more is one at an upload that goes on where an earlier one stopped. */
const MAX_FIRST_SAMPLE_BYTES = 32_000_000;

/** The rate after one more look at `uploads`; `now` in milliseconds. */
export function addSample(rate: Rate, uploads: readonly Pick<Upload, "id" | "sent">[], now: number): Rate {
  let bytes = rate.samples.at(-1)?.bytes ?? 0;
  const sent = new Map<string, number>();
  for (const upload of uploads) {
    const before = rate.sent.get(upload.id);
    sent.set(upload.id, upload.sent);
    if (before === undefined || (before === 0 && upload.sent > MAX_FIRST_SAMPLE_BYTES)) continue;
    bytes += Math.max(0, upload.sent - before);
  }
  return { sent, samples: [...rate.samples.filter(({ at }) => at > now - WINDOW_MS), { at: now, bytes }] };
}

/** Bytes a second; null while that cannot be told. */
export function speedOf({ samples }: Rate): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS) return null;
  return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
}

/** Seconds until `bytesLeft` are sent; null while that cannot be told, or where nothing moves. */
export function secondsLeft(bytesLeft: number, speed: number | null): number | null {
  return speed === null || speed <= 0 ? null : bytesLeft / speed;
}
