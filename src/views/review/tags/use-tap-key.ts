import { useEffect, useEffectEvent } from "react";
import { withTap, type Taps } from "../model/tap-tempo.ts";

/** T taps the beat, wherever the focus is as long as nothing is being written. The first tap opens the form. */
export function useTapKey(on: boolean, setTaps: (change: (taps: Taps) => Taps) => void, onFirst: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!on || event.key.toLowerCase() !== "t" || event.repeat || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, timeStamp } = event;
    const writing = target instanceof Element && target.closest("textarea, select, [contenteditable], [role=menu], dialog");
    // In the tempo's own field no letter is ever typed.
    const field = target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "radio" && target.inputMode !== "decimal";
    if (writing || field || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    onFirst();
    setTaps((taps) => withTap(taps, timeStamp));
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
