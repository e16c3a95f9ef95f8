/** Brings back a source that broke while it was heard: asks for its address anew, waits for the network, goes on at the same place. */
import type { PlayerState, Track } from "./track.ts";

/** `gone`: the file is not there any more, or not for this person. `away`: nobody answers now. */
export type Renewed = { src: string } | "gone" | "away";
export type Renew = (track: Track) => Promise<Renewed>;

interface Hands {
  renew: Renew | null;
  current(): PlayerState;
  /** Loads the address and goes on where it stood. */
  load(track: Track, src: string): void;
  /** Gives up: "gone", or the code of the media element's error. */
  fail(why: "gone" | number): void;
}

const NETWORK = 2;
const DAMAGED = 3;
const UNKNOWN_FORMAT = 4;
/** Milliseconds before each new try while nobody answers. Long enough for a router to come back, short enough to be told. */
const WAITS = [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** Having sounded for so many seconds since, it was brought back. */
const SOUND_SECONDS = 1;

export function createRecovery({ renew, current, load, fail }: Hands) {
  let tries = 0;
  let brokeAt = 0;
  /** The recovery that is under way, or none. Another track, or a stop, makes it void. */
  let running: object | null = null;
  let wake: (() => void) | null = null;

  function wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  globalThis.addEventListener?.("online", () => wake?.());

  async function run(track: Track, code: number, ask: Renew) {
    const own = (running = {});
    let waited = false;
    for (; tries < WAITS.length; tries++) {
      if (WAITS[tries]! > 0) await wait(WAITS[tries]!);
      if (running !== own) return;
      const renewed = await ask(track).catch((): Renewed => "away");
      if (running !== own) return;
      if (renewed === "away") {
        waited = true;
        continue;
      }
      running = null;
      if (renewed === "gone") return fail("gone");
      // The address was right, and somebody is there: then it is the sound that this browser does not take.
      if (code === UNKNOWN_FORMAT && renewed.src === track.src && !waited) return fail(code);
      tries++;
      return load(current().track ?? track, renewed.src);
    }
    running = null;
    // Nobody answered: whatever the element made of it, it was the connection.
    fail(waited ? NETWORK : code);
  }

  return {
    /** The media element has given up on the current track. */
    broke(code: number) {
      const { track, position } = current();
      if (!track || running) return;
      brokeAt = position;
      if (code === DAMAGED || track.voice || !renew) return fail(code);
      void run(track, code, renew);
    },
    isUnderWay: () => running !== null,
    /** It sounds, at `position`. */
    heard(position: number) {
      if (Math.abs(position - brokeAt) > SOUND_SECONDS) tries = 0;
    },
    /** Another track, or none: whatever is under way does not matter any more. */
    forget() {
      running = null;
      tries = 0;
      wake?.();
    },
  };
}
