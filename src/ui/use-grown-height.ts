import { useLayoutEffect, type RefObject } from "react";

function resizeToContent(field: HTMLTextAreaElement, maxHeight: number): void {
  const parent = field.parentElement!;
  // Held open while measuring: else the timeline above would grow for a moment and lose its place.
  parent.style.minHeight = `${parent.offsetHeight}px`;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, maxHeight)}px`;
  field.style.overflowY = field.scrollHeight > maxHeight ? "auto" : "hidden";
  parent.style.minHeight = "";
}

/** A text field as tall as its text, up to `maxHeight` pixels; beyond that it scrolls inside. */
export function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, maxHeight: number): void {
  useLayoutEffect(() => resizeToContent(field.current!, maxHeight), [field, text, maxHeight]);
}
