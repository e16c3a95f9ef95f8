import { useEffect, useEffectEvent } from "react";
import type { Deck } from "../../../audio/deck.ts";
import { actOf } from "../model/keys.ts";

/** True where a key belongs to what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, key } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, [contenteditable], [role=menu], dialog")) return true;
  return key === " " && target.closest("button, summary, a[href]") !== null;
}

/** The keys of the sound's page work wherever the focus is, as long as nothing else needs them. */
export function useTransportKeys(deck: Deck): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event) || document.querySelector("dialog[open]")) return;
    const act = actOf(event.key);
    if (!act) return;
    event.preventDefault();
    if (act.kind === "toggle") {
      if (!event.repeat) deck.toggle();
    } else deck.seek(act.kind === "by" ? deck.state().position + act.seconds : act.part * deck.duration);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
