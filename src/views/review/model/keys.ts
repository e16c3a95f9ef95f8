/** Maps keys to the player actions of a file's page. */

export type PlayerAction =
  | { kind: "toggle" }
  | { kind: "by"; seconds: number }
  | { kind: "to"; fraction: number }
  | { kind: "loop"; point: "from" | "to" }
  | { kind: "zoom"; factor: number }
  | { kind: "fit" }
  | { kind: "comment" };

const STEP_SECONDS = 5;
/** Duration of one video frame at 30 frames per second. */
const FRAME_SECONDS = 1 / 30;
const ZOOM_FACTOR = 1.5;

const ACTIONS: Readonly<Record<string, PlayerAction>> = {
  " ": { kind: "toggle" },
  k: { kind: "toggle" },
  j: { kind: "by", seconds: -2 * STEP_SECONDS },
  l: { kind: "by", seconds: 2 * STEP_SECONDS },
  ArrowLeft: { kind: "by", seconds: -STEP_SECONDS },
  ArrowRight: { kind: "by", seconds: STEP_SECONDS },
  ",": { kind: "by", seconds: -FRAME_SECONDS },
  ".": { kind: "by", seconds: FRAME_SECONDS },
  Home: { kind: "to", fraction: 0 },
  End: { kind: "to", fraction: 1 },
  i: { kind: "loop", point: "from" },
  o: { kind: "loop", point: "to" },
  m: { kind: "comment" },
  "+": { kind: "zoom", factor: ZOOM_FACTOR },
  // The plus key without Shift.
  "=": { kind: "zoom", factor: ZOOM_FACTOR },
  "-": { kind: "zoom", factor: 1 / ZOOM_FACTOR },
  _: { kind: "zoom", factor: 1 / ZOOM_FACTOR },
  "0": { kind: "fit" },
};

/** Returns the seconds by which a key moves the focused slider, in addition to the page's keys; null for other keys. */
export function sliderStep(key: string, duration: number): number | null {
  if (key === "ArrowUp" || key === "ArrowDown") return key === "ArrowUp" ? STEP_SECONDS : -STEP_SECONDS;
  if (key === "PageUp" || key === "PageDown") return (key === "PageUp" ? duration : -duration) / 10;
  return null;
}

/** Returns the action of a key, or null if the key has none. */
export function actionForKey(key: string): PlayerAction | null {
  if (/^[1-9]$/.test(key)) return { kind: "to", fraction: Number(key) / 10 };
  const name = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : null;
}
