/** Recovers a source that broke during playback: fetches its URL again, waits for the network and resumes at the same position. */
import type { PlayerState, Track } from "./track.ts";

/**
 * `unavailable`: the file no longer exists or is not accessible. `unreachable`: the service does not respond. `too-large`: the page cannot hold it.
 * `hasNewAddress`: elements load the same URL from another address than the one that failed.
 */
export type RefetchedSource = { src: string; hasNewAddress?: boolean } | "unavailable" | "unreachable" | "too-large";
/** `failedAddress`: the one that the element could not load; empty if none was found. */
export type RefetchSource = (track: Track, failedAddress: string) => Promise<RefetchedSource>;

interface RecoveryDeps {
  refetchSource: RefetchSource | null;
  getState(): PlayerState;
  /** Loads the URL and resumes at the last position. */
  load(track: Track, src: string): void;
  /** Ends the recovery with its reason or the media element's error code. */
  fail(reason: "unavailable" | "too-large" | number): void;
}

export const NETWORK = 2;
const DAMAGED = 3;
const UNKNOWN_FORMAT = 4;
/** Milliseconds before each attempt: long enough for a router to restart, short enough that the person still waits for the result. */
const RETRY_DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** A source counts as recovered after playing for this many seconds. */
const RECOVERED_AFTER_SECONDS = 1;

export function createRecovery({ refetchSource, getState, load, fail }: RecoveryDeps) {
  let attempts = 0;
  let failedPosition = 0;
  /** The current recovery, if any; another track or a stop invalidates it. */
  let activeRun: object | null = null;
  let skipDelay: (() => void) | null = null;

  function delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      skipDelay = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  const onOnline = () => skipDelay?.();
  globalThis.addEventListener?.("online", onOnline);

  async function run(track: Track, code: number, failedAddress: string, refetch: RefetchSource) {
    const thisRun = (activeRun = {});
    let hasWaited = false;
    for (; attempts < RETRY_DELAYS_MS.length; attempts++) {
      if (RETRY_DELAYS_MS[attempts]! > 0) await delay(RETRY_DELAYS_MS[attempts]!);
      if (activeRun !== thisRun) return;
      const result = await refetch(track, failedAddress).catch((): RefetchedSource => "unreachable");
      if (activeRun !== thisRun) return;
      if (result === "unreachable") {
        hasWaited = true;
        continue;
      }
      activeRun = null;
      if (result === "unavailable" || result === "too-large") return fail(result);
      // The URL was right and the service responds, so the browser does not support the format.
      if (code === UNKNOWN_FORMAT && result.src === track.src && !result.hasNewAddress && !hasWaited) return fail(code);
      attempts++;
      return load(getState().track ?? track, result.src);
    }
    activeRun = null;
    // If the service did not respond, the cause is the network, whatever code the element reported.
    fail(hasWaited ? NETWORK : code);
  }

  return {
    /** Handles a media error of the current track. `failedAddress`: what the element could not load. */
    onError(code: number, failedAddress = "") {
      const { track, position } = getState();
      if (!track || activeRun) return;
      failedPosition = position;
      // The bytes of a recording that only this page has are not at the service.
      if (code === DAMAGED || track.fileId < 0 || !refetchSource) return fail(code);
      void run(track, code, failedAddress, refetchSource);
    },
    isActive: () => activeRun !== null,
    /** Ends the delay before the next attempt. */
    retryNow: onOnline,
    /** Called during playback with the current position. */
    onProgress(position: number) {
      if (Math.abs(position - failedPosition) > RECOVERED_AFTER_SECONDS) attempts = 0;
    },
    /** Cancels the recovery after the track changed or stopped. */
    reset() {
      activeRun = null;
      attempts = 0;
      skipDelay?.();
    },
    dispose: () => globalThis.removeEventListener?.("online", onOnline),
  };
}
