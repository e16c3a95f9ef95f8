import { useLayoutEffect, type RefObject } from "react";

function resizeToContent(field: HTMLTextAreaElement, maxHeight: number): void {
  const parent = field.parentElement!;
  // Keep the parent's height while measuring, so that the timeline above does not grow for a moment and lose its scroll position.
  parent.style.minHeight = `${parent.offsetHeight}px`;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, maxHeight)}px`;
  field.style.overflowY = field.scrollHeight > maxHeight ? "auto" : "hidden";
  parent.style.minHeight = "";
}

/** Makes a text field as tall as its text, up to `maxHeight` pixels; a longer text scrolls inside. */
export function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, maxHeight: number): void {
  useLayoutEffect(() => resizeToContent(field.current!, maxHeight), [field, text, maxHeight]);
}
