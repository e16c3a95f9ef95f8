import { useEffect, useEffectEvent, useState } from "react";
import { droppedIn, type Dropped } from "./dropped.ts";

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes files that are dropped anywhere on the page. True while some are held over it. */
export function useFileDrop(onDrop: (dropped: Dropped) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useEffectEvent(onDrop);
  useEffect(() => {
    // Every element tells of entering and leaving: above zero is over the page.
    let depth = 0;
    const moved = (by: number) => (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth + by);
      setOver(depth > 0);
    };
    const enter = moved(1);
    const leave = moved(-1);
    const hold = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser opens the file in place of this page.
      event.preventDefault();
      event.dataTransfer!.dropEffect = "copy";
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      take(droppedIn(event.dataTransfer!));
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", hold);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", hold);
      removeEventListener("drop", drop);
    };
  }, []);
  return over;
}
