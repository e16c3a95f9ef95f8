import { useEffect, useEffectEvent, useState } from "react";
import { droppedIn, type Dropped } from "./dropped.ts";

/** A drag that has left the window says nothing more: after this long without a word it is over. */
export const DRAG_SILENCE_MS = 400;

/**
 * Takes files that are dropped anywhere on the page. True while some are held over it: a layer that catches them then keeps what moves below from taking the place they
 * fall on away, and the drop with it.
 */
export function useFileDrop(onDrop: (dropped: Dropped) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    let silence: ReturnType<typeof setTimeout> | undefined;
    const isOurs = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } => {
      if (!event.dataTransfer?.types.includes("Files")) return false;
      // Else the browser opens the file in place of this page.
      event.preventDefault();
      clearTimeout(silence);
      return true;
    };
    const hold = (event: DragEvent) => {
      if (!isOurs(event)) return;
      event.dataTransfer.dropEffect = "copy";
      silence = setTimeout(() => setOver(false), DRAG_SILENCE_MS);
      setOver(true);
    };
    const drop = (event: DragEvent) => {
      if (!isOurs(event)) return;
      setOver(false);
      take(droppedIn(event.dataTransfer));
    };
    // What is under the hand may change just before it lets go, and entering is then all that is asked.
    addEventListener("dragenter", hold);
    addEventListener("dragover", hold);
    addEventListener("drop", drop);
    return () => {
      clearTimeout(silence);
      removeEventListener("dragenter", hold);
      removeEventListener("dragover", hold);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}
