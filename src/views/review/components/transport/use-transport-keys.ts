import { useEffect, useEffectEvent } from "react";
import type { TrackController } from "../../../../audio/deck.ts";
import { formatTenths } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { actionForKey, type PlayerAction } from "../../model/keys.ts";
import type { WaveformViewport } from "../../model/lane.ts";
import { isInView } from "../../model/viewport.ts";

/** True if the focused element needs the key itself. */
function belongsToFocusedElement(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable], [role=menu], dialog")) return true;
  return key === " " && target.closest("button, summary, a[href]") !== null;
}

/** Handles the player keys wherever the focus is, unless the focused element needs them. `onComment` runs on the comment key. */
export function useTransportKeys(trackController: TrackController, waveformViewport: WaveformViewport, onComment?: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || belongsToFocusedElement(event) || document.querySelector("dialog[open]"))
      return;
    const action = actionForKey(event.key);
    if (!action || (action.kind === "comment" && !onComment)) return;
    event.preventDefault();
    if (event.repeat && (action.kind === "toggle" || action.kind === "comment" || action.kind === "loop")) return;
    if (action.kind === "comment") onComment?.();
    else runAction(action, trackController, waveformViewport);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function runAction(action: Exclude<PlayerAction, { kind: "comment" }>, trackController: TrackController, waveformViewport: WaveformViewport): void {
  const { position } = trackController.state();
  if (action.kind === "toggle") trackController.toggle();
  else if (action.kind === "by") trackController.seek(position + action.seconds);
  else if (action.kind === "to") trackController.seek(action.fraction * trackController.duration);
  else if (action.kind === "fit") waveformViewport.fit();
  else if (action.kind === "zoom") {
    const { from, to } = waveformViewport.view();
    waveformViewport.zoom(action.factor, isInView(waveformViewport.view(), position) ? position : (from + to) / 2);
  } else {
    if (action.point === "from") trackController.setLoopStart(position);
    else trackController.setLoopEnd(position);
    const { loop } = trackController.state();
    if (loop) announce(t("loopOn", { from: formatTenths(loop.from), to: formatTenths(loop.to) }));
  }
}
