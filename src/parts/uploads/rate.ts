/** Computes upload speed and remaining time over the last seconds, so that both follow the connection without flickering. */
import type { Upload } from "../../queries/uploads/upload.ts";

export interface Rate {
  /** Bytes sent per upload at the last sample. */
  sent: ReadonlyMap<string, number>;
  /** Total bytes sent at each sample, oldest first. */
  samples: readonly { at: number; bytes: number }[];
}

export const NO_RATE: Rate = { sent: new Map(), samples: [] };

const WINDOW_MS = 15_000;
/** A speed over a shorter time would be a guess. */
const MIN_WINDOW_MS = 2_000;
/** A larger first sample comes from an upload that resumed where an earlier one stopped. */
const MAX_FIRST_SAMPLE_BYTES = 32_000_000;

/** Adds a sample of `uploads`; `now` in milliseconds. */
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

/** Returns bytes per second, or null while unknown. */
export function speedOf({ samples }: Rate): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < MIN_WINDOW_MS) return null;
  return ((last.bytes - first.bytes) * 1_000) / (last.at - first.at);
}

/** Returns the seconds until `bytesLeft` are sent, or null if the speed is unknown or nothing moves. */
export function secondsLeft(bytesLeft: number, speed: number | null): number | null {
  return speed === null || speed <= 0 ? null : bytesLeft / speed;
}
