import { useLayoutEffect, type RefObject } from "react";

function grow(field: HTMLTextAreaElement, tallest: number): void {
  const frame = field.parentElement!;
  // Held open while measuring: else the timeline above would grow for a moment and lose its place.
  frame.style.minHeight = `${frame.offsetHeight}px`;
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, tallest)}px`;
  field.style.overflowY = field.scrollHeight > tallest ? "auto" : "hidden";
  frame.style.minHeight = "";
}

/** A text field as tall as its text, up to `tallest` pixels; beyond that it scrolls inside. */
export function useGrownHeight(field: RefObject<HTMLTextAreaElement | null>, text: string, tallest: number): void {
  useLayoutEffect(() => grow(field.current!, tallest), [field, text, tallest]);
}
