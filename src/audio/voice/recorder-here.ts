/** The recorder wired to this browser, its player and its memory. */
import { defaultConnection } from "../../api/http.ts";
import { setWakeLock } from "../../lib/awake.ts";
import { randomId } from "../../lib/random-id.ts";
import { getPersisted, setPersisted } from "../../lib/remembered.ts";
import { player } from "../player.ts";
import { openMicrophone } from "./microphone.ts";
import { createRecorder } from "./recorder.ts";
import { createRecordingStorage } from "./shelf.ts";

const INPUT_KEY = "microphone";
/** Often enough for a meter that moves calmly. */
const TICK_MS = 50;

/** The input that is asked for first; null: the system's. */
export const setPreferredInput = (id: string | null) => setPersisted(INPUT_KEY, id);
export const getPreferredInput = () => getPersisted(INPUT_KEY);

export const recorder = createRecorder({
  open: openMicrophone,
  getPreferredInput,
  storage: createRecordingStorage(),
  getServiceUrl: () => new URL(defaultConnection.base || "/", location.origin).href,
  onActiveChange(on) {
    player.suspend(on);
    setWakeLock(on);
  },
  startTicking(callback) {
    const timer = setInterval(callback, TICK_MS);
    return () => clearInterval(timer);
  },
  schedule: (callback, ms) => void setTimeout(callback, ms),
  createId: randomId,
  clock: () => performance.now(),
  now: Date.now,
});

// What was recorded up to now is handed out before the page goes.
addEventListener("pagehide", () => recorder.end("left"));
addEventListener("beforeunload", (event) => {
  if (recorder.hasUnpersisted()) event.preventDefault();
});
