import { useEffect, useEffectEvent } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import { formatTenths } from "../../../../lib/duration.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { announce } from "../../../../ui/announce.ts";
import { actOf, type Act } from "../../model/keys.ts";
import type { Lane } from "../../model/lane.ts";
import { isInside } from "../../model/viewport.ts";

/** True where a key belongs to what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable], [role=menu], dialog")) return true;
  return key === " " && target.closest("button, summary, a[href]") !== null;
}

/** The keys of the sound's page work wherever the focus is, as long as nothing else needs them. `onComment`: somebody wants to say something here. */
export function useTransportKeys(deck: Deck, lane: Lane, onComment?: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event) || document.querySelector("dialog[open]")) return;
    const act = actOf(event.key);
    if (!act || (act.kind === "comment" && !onComment)) return;
    event.preventDefault();
    if (event.repeat && (act.kind === "toggle" || act.kind === "comment" || act.kind === "loop")) return;
    if (act.kind === "comment") onComment?.();
    else apply(act, deck, lane);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function apply(act: Exclude<Act, { kind: "comment" }>, deck: Deck, lane: Lane): void {
  const { position } = deck.state();
  if (act.kind === "toggle") deck.toggle();
  else if (act.kind === "by") deck.seek(position + act.seconds);
  else if (act.kind === "to") deck.seek(act.part * deck.duration);
  else if (act.kind === "fit") lane.fit();
  else if (act.kind === "zoom") {
    const { from, to } = lane.view();
    lane.zoom(act.factor, isInside(lane.view(), position) ? position : (from + to) / 2);
  } else {
    if (act.point === "from") deck.loopFrom(position);
    else deck.loopTo(position);
    const { loop } = deck.state();
    if (loop) announce(t("loopOn", { from: formatTenths(loop.from), to: formatTenths(loop.to) }));
  }
}
