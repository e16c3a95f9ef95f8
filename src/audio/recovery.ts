/** Brings back a source that broke while it was heard: asks for its address anew, waits for the network, goes on at the same place. */
import type { PlayerState, Track } from "./track.ts";

/** `gone`: the file is not there any more, or not for this person. `away`: nobody answers now. */
export type RefetchedSource = { src: string } | "gone" | "away";
export type RefetchSource = (track: Track) => Promise<RefetchedSource>;

interface RecoveryDeps {
  refetchSource: RefetchSource | null;
  getState(): PlayerState;
  /** Loads the address and goes on where it stood. */
  load(track: Track, src: string): void;
  /** Gives up: "gone", or the code of the media element's error. */
  fail(reason: "gone" | number): void;
}

const NETWORK = 2;
const DAMAGED = 3;
const UNKNOWN_FORMAT = 4;
/** Milliseconds before each new try while nobody answers. Long enough for a router to come back, short enough to be told. */
const RETRY_DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** Having sounded for so many seconds since, it was brought back. */
const RECOVERED_AFTER_SECONDS = 1;

export function createRecovery({ refetchSource, getState, load, fail }: RecoveryDeps) {
  let attempts = 0;
  let failedPosition = 0;
  /** The recovery that is under way, or none. Another track, or a stop, makes it void. */
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
  globalThis.addEventListener?.("online", () => skipDelay?.());

  async function run(track: Track, code: number, refetch: RefetchSource) {
    const thisRun = (activeRun = {});
    let hasWaited = false;
    for (; attempts < RETRY_DELAYS_MS.length; attempts++) {
      if (RETRY_DELAYS_MS[attempts]! > 0) await delay(RETRY_DELAYS_MS[attempts]!);
      if (activeRun !== thisRun) return;
      const result = await refetch(track).catch((): RefetchedSource => "away");
      if (activeRun !== thisRun) return;
      if (result === "away") {
        hasWaited = true;
        continue;
      }
      activeRun = null;
      if (result === "gone") return fail("gone");
      // The address was right, and somebody is there: then it is the sound that this browser does not take.
      if (code === UNKNOWN_FORMAT && result.src === track.src && !hasWaited) return fail(code);
      attempts++;
      return load(getState().track ?? track, result.src);
    }
    activeRun = null;
    // Nobody answered: whatever the element made of it, it was the connection.
    fail(hasWaited ? NETWORK : code);
  }

  return {
    /** The media element has given up on the current track. */
    onError(code: number) {
      const { track, position } = getState();
      if (!track || activeRun) return;
      failedPosition = position;
      if (code === DAMAGED || track.isVoice || !refetchSource) return fail(code);
      void run(track, code, refetchSource);
    },
    isActive: () => activeRun !== null,
    /** It sounds, at `position`. */
    onProgress(position: number) {
      if (Math.abs(position - failedPosition) > RECOVERED_AFTER_SECONDS) attempts = 0;
    },
    /** Another track, or none: whatever is under way does not matter any more. */
    reset() {
      activeRun = null;
      attempts = 0;
      skipDelay?.();
    },
  };
}
