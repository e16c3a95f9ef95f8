/** Files and folders that were dropped or chosen, read down to the last one: which file goes below which path, and what is left out. */

export interface TreeFile {
  file: File;
  /** Folders from the place of the drop down to the file, "Stems/Drums"; "" for none. */
  path: string;
}

export interface Tree {
  files: TreeFile[];
  /** Paths of folders in which nothing is, or nothing that is wanted. */
  emptyFolders: string[];
  /** System files that nobody means to upload. */
  leftOut: number;
  /** Names that the browser could not read. */
  unreadable: string[];
  /** There was more than one drop may bring: nothing of it is taken. */
  tooMany: boolean;
}

/** What the page can hold and a person can look through. */
export const MOST_AT_ONCE = 5_000;

/** What Finder, Explorer and archives leave beside files. */
const SYSTEM = /^(\.DS_Store|\._.*|\.localized|\.Spotlight-V100|\.Trashes|\.fseventsd|__MACOSX|Icon\r|Thumbs\.db|ehthumbs\.db|desktop\.ini|\$RECYCLE\.BIN)$/i;
export const isSystemFile = (name: string): boolean => SYSTEM.test(name);

const empty = (): Tree => ({ files: [], emptyFolders: [], leftOut: 0, unreadable: [], tooMany: false });
const below = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);

/** Files as an input gives them: with the folder's path where a folder was chosen. */
export function treeOfFiles(files: readonly File[]): Tree {
  const tree = empty();
  for (const file of files) {
    const parts = (file.webkitRelativePath ?? "").split("/").filter(Boolean);
    if (isSystemFile(file.name) || parts.some(isSystemFile)) tree.leftOut += 1;
    else tree.files.push({ file, path: parts.slice(0, -1).join("/") });
  }
  return tree.files.length > MOST_AT_ONCE ? { ...empty(), tooMany: true } : tree;
}

/** What a drop holds. To be called within the event: its items are gone afterwards. */
export function entriesIn(data: Pick<DataTransfer, "items">): (FileSystemEntry | File)[] {
  return [...data.items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : []));
}

/** Reads folders to their end; a browser gives their entries in batches. */
export async function treeOfEntries(entries: readonly (FileSystemEntry | File)[]): Promise<Tree> {
  const tree = empty();

  async function take(entry: FileSystemEntry | File, path: string): Promise<boolean> {
    if (tree.tooMany) return true;
    if (isSystemFile(entry.name)) {
      tree.leftOut += 1;
      return false;
    }
    if (entry instanceof File) tree.files.push({ file: entry, path });
    else if (entry.isFile) {
      try {
        tree.files.push({ file: await fileOf(entry as FileSystemFileEntry), path });
      } catch {
        tree.unreadable.push(entry.name);
      }
    } else if (entry.isDirectory) await takeFolder(entry as FileSystemDirectoryEntry, below(path, entry.name));
    if (tree.files.length > MOST_AT_ONCE) tree.tooMany = true;
    return true;
  }

  async function takeFolder(folder: FileSystemDirectoryEntry, path: string): Promise<void> {
    const reader = folder.createReader();
    let taken = 0;
    for (;;) {
      let batch: FileSystemEntry[];
      try {
        batch = await batchOf(reader);
      } catch {
        tree.unreadable.push(folder.name);
        break;
      }
      if (batch.length === 0 || tree.tooMany) break;
      for (const entry of batch) if (await take(entry, path)) taken += 1;
    }
    if (taken === 0) tree.emptyFolders.push(path);
  }

  for (const entry of entries) await take(entry, "");
  return tree.tooMany ? { ...empty(), tooMany: true } : tree;
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
const batchOf = (reader: FileSystemDirectoryReader) => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
