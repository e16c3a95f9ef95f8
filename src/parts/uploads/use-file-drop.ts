import { useEffect, useEffectEvent, useState } from "react";
import { readDrop, type DroppedFiles } from "./dropped.ts";

/** A drag that has left the window says nothing more: after this long without a word it is over. */
export const DRAG_END_DELAY_MS = 400;

/**
 * Takes files that are dropped anywhere on the page. True while some are held over it: a layer that catches them then keeps what moves below from taking the place they
 * fall on away, and the drop with it.
 */
export function useFileDrop(onDrop: (dropped: DroppedFiles) => void): boolean {
  const [isDragOver, setIsDragOver] = useState(false);
  const handleDrop = useEffectEvent(onDrop);
  useEffect(() => {
    let dragEndTimer: ReturnType<typeof setTimeout> | undefined;
    const acceptDrag = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } => {
      if (!event.dataTransfer?.types.includes("Files")) return false;
      // Else the browser opens the file in place of this page.
      event.preventDefault();
      clearTimeout(dragEndTimer);
      return true;
    };
    const onDragMove = (event: DragEvent) => {
      if (!acceptDrag(event)) return;
      event.dataTransfer.dropEffect = "copy";
      dragEndTimer = setTimeout(() => setIsDragOver(false), DRAG_END_DELAY_MS);
      setIsDragOver(true);
    };
    const onFileDrop = (event: DragEvent) => {
      if (!acceptDrag(event)) return;
      setIsDragOver(false);
      handleDrop(readDrop(event.dataTransfer));
    };
    // What is under the hand may change just before it lets go, and entering is then all that is asked.
    addEventListener("dragenter", onDragMove);
    addEventListener("dragover", onDragMove);
    addEventListener("drop", onFileDrop);
    return () => {
      clearTimeout(dragEndTimer);
      removeEventListener("dragenter", onDragMove);
      removeEventListener("dragover", onDragMove);
      removeEventListener("drop", onFileDrop);
    };
  }, []);
  return isDragOver;
}
