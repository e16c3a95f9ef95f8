import { useEffect, useEffectEvent } from "react";

/** T taps the beat wherever the focus is, unless the user is typing. The first tap opens the form. */
export function useTapKey(enabled: boolean, onTap: (timeMs: number) => void, onOpen: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!enabled || event.key.toLowerCase() !== "t" || event.repeat || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, timeStamp } = event;
    const isEditable = target instanceof Element && target.closest("textarea, select, [contenteditable], [role=menu], dialog");
    // The tempo field takes no letters, so T taps there as well.
    const isTextInput = target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "radio" && target.inputMode !== "decimal";
    if (isEditable || isTextInput || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    onOpen();
    onTap(timeStamp);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
