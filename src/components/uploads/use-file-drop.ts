import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { toDateTimeInput } from "../../lib/days.ts";
import { extensionOf } from "../../lib/file-extension.ts";
import { t } from "../../lib/texts/uploads.ts";

/** No event reports that a drag has left the window, so it ends after this long without an event. */
export const DRAG_END_DELAY_MS = 400;

/**
 * Accepts files dropped inside an element, or anywhere on the page except inside such an element. Returns true while files are dragged over that area; the
 * caller then covers it with a layer, because moving content could replace the drop target and so cancel the drop.
 */
export function useFileDrop(onDrop: (dropped: DroppedAttachments) => void, area?: RefObject<HTMLElement | null>): boolean {
  const [isDragOver, setIsDragOver] = useState(false);
  const handleDrop = useEffectEvent(onDrop);
  useEffect(() => {
    let dragEndTimer: ReturnType<typeof setTimeout> | undefined;
    const acceptDrag = (event: DragEvent): event is DragEvent & { dataTransfer: DataTransfer } => {
      if (!event.dataTransfer?.types.includes("Files")) return false;
      clearTimeout(dragEndTimer);
      if (event.defaultPrevented) {
        // An area inside accepts these files.
        setIsDragOver(false);
        return false;
      }
      // Otherwise the browser opens the file in place of this page.
      event.preventDefault();
      return true;
    };
    const target: Pick<Window, "addEventListener" | "removeEventListener"> = area?.current ?? window;
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
    // Accept `dragenter` too, because no `dragover` precedes the drop if the element under the pointer changes just before.
    target.addEventListener("dragenter", onDragMove);
    target.addEventListener("dragover", onDragMove);
    target.addEventListener("drop", onFileDrop);
    return () => {
      clearTimeout(dragEndTimer);
      target.removeEventListener("dragenter", onDragMove);
      target.removeEventListener("dragover", onDragMove);
      target.removeEventListener("drop", onFileDrop);
    };
  }, [area]);
  return isDragOver;
}

interface DroppedAttachments {
  files: File[];
  folderCount: number;
}

/** Reads the files of a drop and counts its folders. Must be called within the event, because its items are unavailable afterwards. */
export function readDrop(data: Pick<DataTransfer, "items">): DroppedAttachments {
  const files: File[] = [];
  let folderCount = 0;
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    if (item.webkitGetAsEntry()?.isDirectory) folderCount += 1;
    else {
      const file = item.getAsFile();
      if (file) files.push(file);
    }
  }
  return { files, folderCount };
}

/** Returns the files of a paste, or none if it contains text: programs that copy text may add a picture of it. */
export function readPaste(data: Pick<DataTransfer, "items" | "types">, now = new Date()): File[] {
  if (data.types.includes("text/plain")) return [];
  return readDrop(data).files.map((file) => (UNNAMED_PICTURE.test(file.name) ? new File([file], pictureName(file, now), { type: file.type }) : file));
}

/** Browsers call every picture that has no file so. */
const UNNAMED_PICTURE = /^(?:image)?\.\w+$/;

/** Names a picture by the minute in which it was pasted: "Pasted image 2026-11-27 14.05.png". No file name on Windows has a colon. */
const pictureName = ({ name }: File, now: Date): string =>
  t("pastedImage", { time: toDateTimeInput(now).replace("T", " ").replace(":", "."), extension: extensionOf(name) });
