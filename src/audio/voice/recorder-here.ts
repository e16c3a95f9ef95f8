/** The recorder wired to this browser, its player and its memory. */
import { here } from "../../api/http.ts";
import { keepAwake } from "../../lib/awake.ts";
import { randomId } from "../../lib/random-id.ts";
import { recall, remember } from "../../lib/remembered.ts";
import { player } from "../player.ts";
import { openMicrophone } from "./microphone.ts";
import { createRecorder } from "./recorder.ts";
import { createShelf } from "./shelf.ts";

const INPUT = "microphone";
/** Often enough for a meter that moves calmly. */
const TICK_MS = 50;

/** The input that is asked for first; null: the system's. */
export const chooseInput = (id: string | null) => remember(INPUT, id);
export const chosenInput = () => recall(INPUT);

export const recorder = createRecorder({
  open: openMicrophone,
  wanted: chosenInput,
  shelf: createShelf(),
  service: () => new URL(here.base || "/", location.origin).href,
  quiet(on) {
    player.hush(on);
    keepAwake(on);
  },
  every(callback) {
    const timer = setInterval(callback, TICK_MS);
    return () => clearInterval(timer);
  },
  after: (callback, ms) => void setTimeout(callback, ms),
  newId: randomId,
  clock: () => performance.now(),
  now: Date.now,
});

// What was recorded up to now is handed out before the page goes.
addEventListener("pagehide", () => recorder.end("left"));
addEventListener("beforeunload", (event) => {
  if (recorder.hasUnkept()) event.preventDefault();
});
