/** What was dropped or pasted: files, and whether folders were among them. */

export interface DroppedFiles {
  files: File[];
  folderCount: number;
}

/** To be called within the event: its items are gone afterwards. */
export function readDrop(data: Pick<DataTransfer, "items">): DroppedFiles {
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

/** Files of a paste; none where text comes along: then a program offers a picture of that text as well. */
export function readPaste(data: Pick<DataTransfer, "items" | "types">): File[] {
  return data.types.includes("text/plain") ? [] : readDrop(data).files;
}
