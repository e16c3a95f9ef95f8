import { useEffect, useEffectEvent } from "react";

/** T taps the beat, wherever the focus is as long as nothing is being written. The first tap opens the form. */
export function useTapKey(on: boolean, onTap: (at: number) => void, onFirst: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!on || event.key.toLowerCase() !== "t" || event.repeat || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, timeStamp } = event;
    const writing = target instanceof Element && target.closest("textarea, select, [contenteditable], [role=menu], dialog");
    // In the tempo's own field no letter is ever typed.
    const field = target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "radio" && target.inputMode !== "decimal";
    if (writing || field || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    onFirst();
    onTap(timeStamp);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
