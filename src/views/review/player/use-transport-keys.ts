import type { TrackController } from "../../../audio/player/track-controller.ts";
import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { announce } from "../../../ui/announce.ts";
import { isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import type { ViewportStore } from "../waveform/viewport.ts";

/** Seconds by which the buttons and the arrow keys skip. */
export const STEP_SECONDS = 5;
/** Duration of one video frame at 30 frames per second. */
const FRAME_SECONDS = 1 / 30;
const ZOOM_FACTOR = 1.5;

type PlayerAction =
  | { kind: "toggle" }
  | { kind: "by"; seconds: number }
  | { kind: "to"; fraction: number }
  | { kind: "loop"; point: "from" | "to" }
  | { kind: "zoom"; factor: number }
  | { kind: "fit" }
  | { kind: "comment" };

/** The player actions of a file's page by key. */
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

/** Handles the player keys wherever the focus is, unless the focused element needs them. `onComment` runs on the comment key. */
export function useTransportKeys(trackController: TrackController, viewport: ViewportStore, onComment?: () => void): void {
  useDocumentKeydown((event) => {
    if (!isShortcutAllowed(event)) return;
    const action = actionForKey(event.key);
    if (!action || (action.kind === "comment" && !onComment)) return;
    event.preventDefault();
    if (event.repeat && (action.kind === "toggle" || action.kind === "comment" || action.kind === "loop")) return;
    if (action.kind === "comment") onComment?.();
    else runAction(action, trackController, viewport);
  });
}

function runAction(action: Exclude<PlayerAction, { kind: "comment" }>, trackController: TrackController, viewport: ViewportStore): void {
  const { position } = trackController.state();
  if (action.kind === "toggle") trackController.toggle();
  else if (action.kind === "by") trackController.seek(position + action.seconds);
  else if (action.kind === "to") trackController.seek(action.fraction * trackController.duration);
  else if (action.kind === "fit") viewport.fit();
  else if (action.kind === "zoom") viewport.zoomAtPlayhead(action.factor, position);
  else {
    if (action.point === "from") trackController.setLoopStart(position);
    else trackController.setLoopEnd(position);
    const { loop } = trackController.state();
    if (loop) announce(t("loopOn", { from: formatTenths(loop.from), to: formatTenths(loop.to) }));
  }
}

/** Returns the seconds by which a key moves the focused slider, in addition to the page's keys; null for other keys. */
export function sliderStep(key: string, duration: number): number | null {
  if (key === "ArrowUp" || key === "ArrowDown") return key === "ArrowUp" ? STEP_SECONDS : -STEP_SECONDS;
  if (key === "PageUp" || key === "PageDown") return (key === "PageUp" ? duration : -duration) / 10;
  return null;
}

export function actionForKey(key: string): PlayerAction | null {
  if (/^[1-9]$/.test(key)) return { kind: "to", fraction: Number(key) / 10 };
  const name = key.length === 1 ? key.toLowerCase() : key;
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name]! : null;
}
