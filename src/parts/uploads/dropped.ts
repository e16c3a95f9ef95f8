/** What was dropped or pasted: files, and whether folders were among them. */

export interface Dropped {
  files: File[];
  folders: number;
}

/** To be called within the event: its items are gone afterwards. */
export function droppedIn(data: Pick<DataTransfer, "items">): Dropped {
  const files: File[] = [];
  let folders = 0;
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    if (item.webkitGetAsEntry()?.isDirectory) folders += 1;
    else {
      const file = item.getAsFile();
      if (file) files.push(file);
    }
  }
  return { files, folders };
}

/** Files of a paste; none where text comes along: then a program offers a picture of that text as well. */
export function pastedIn(data: Pick<DataTransfer, "items" | "types">): File[] {
  return data.types.includes("text/plain") ? [] : droppedIn(data).files;
}
