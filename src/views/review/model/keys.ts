/** The keys that steer the sound of a file's page. */

export type Act =
  | { kind: "toggle" }
  | { kind: "by"; seconds: number }
  | { kind: "to"; part: number }
  | { kind: "loop"; point: "from" | "to" }
  | { kind: "zoom"; factor: number }
  | { kind: "fit" }
  | { kind: "comment" };

const STEP = 5;
/** One picture of a film of 30 per second. */
const FRAME = 1 / 30;
const ZOOM = 1.5;

const ACTS: Readonly<Record<string, Act>> = {
  " ": { kind: "toggle" },
  k: { kind: "toggle" },
  j: { kind: "by", seconds: -2 * STEP },
  l: { kind: "by", seconds: 2 * STEP },
  ArrowLeft: { kind: "by", seconds: -STEP },
  ArrowRight: { kind: "by", seconds: STEP },
  ",": { kind: "by", seconds: -FRAME },
  ".": { kind: "by", seconds: FRAME },
  Home: { kind: "to", part: 0 },
  End: { kind: "to", part: 1 },
  i: { kind: "loop", point: "from" },
  o: { kind: "loop", point: "to" },
  m: { kind: "comment" },
  "+": { kind: "zoom", factor: ZOOM },
  // The same key without Shift.
  "=": { kind: "zoom", factor: ZOOM },
  "-": { kind: "zoom", factor: 1 / ZOOM },
  _: { kind: "zoom", factor: 1 / ZOOM },
  "0": { kind: "fit" },
};

/** Seconds by which a key of the focused slider moves it, besides the keys of the page; null for others. */
export function sliderStep(key: string, duration: number): number | null {
  if (key === "ArrowUp" || key === "ArrowDown") return key === "ArrowUp" ? STEP : -STEP;
  if (key === "PageUp" || key === "PageDown") return (key === "PageUp" ? duration : -duration) / 10;
  return null;
}

/** What a key means, or null for keys of others. */
export function actOf(key: string): Act | null {
  if (/^[1-9]$/.test(key)) return { kind: "to", part: Number(key) / 10 };
  const name = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(ACTS, name) ? ACTS[name]! : null;
}
