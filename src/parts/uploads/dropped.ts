/** Reads files from a drop or paste and counts dropped folders. */

export interface DroppedFiles {
  files: File[];
  folderCount: number;
}

/** Must be called within the event, because its items are unavailable afterwards. */
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

/** Returns the files of a paste, or none if it contains text: programs that copy text may add a picture of it. */
export function readPaste(data: Pick<DataTransfer, "items" | "types">): File[] {
  return data.types.includes("text/plain") ? [] : readDrop(data).files;
}
