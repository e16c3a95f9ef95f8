/** Reads dropped or chosen files and folders recursively into a list of files with paths, and reports what is left out. */

export interface DroppedFile {
  file: File;
  /** Path of the dropped or chosen folders that contain the file, such as "Stems/Drums"; "" for none. */
  path: string;
}

export interface DroppedFiles {
  files: DroppedFile[];
  /** Paths of folders that contain nothing, or nothing to upload. */
  emptyFolders: string[];
  /** Number of skipped system files. */
  skippedCount: number;
  /** Names of entries that the browser could not read. */
  unreadableNames: string[];
  /** True if the drop exceeded `MAX_FILES`, in which case nothing of it is accepted. */
  hasTooManyFiles: boolean;
}

/** Maximum number of files per drop or choice, as many as the page can handle and a person can review. */
export const MAX_FILES = 5_000;

/** Files that Finder, Explorer and archives leave behind. */
const SYSTEM = /^(\.DS_Store|\._.*|\.localized|\.Spotlight-V100|\.Trashes|\.fseventsd|__MACOSX|Icon\r|Thumbs\.db|ehthumbs\.db|desktop\.ini|\$RECYCLE\.BIN)$/i;
export const isSystemFile = (name: string): boolean => SYSTEM.test(name);

const emptyTree = (): DroppedFiles => ({ files: [], emptyFolders: [], skippedCount: 0, unreadableNames: [], hasTooManyFiles: false });
const joinPath = (path: string, name: string) => (path === "" ? name : `${path}/${name}`);

/** Reads files from an input, with their paths if a folder was chosen. */
export function readFileList(files: readonly File[]): DroppedFiles {
  const tree = emptyTree();
  for (const file of files) {
    const parts = (file.webkitRelativePath ?? "").split("/").filter(Boolean);
    if (isSystemFile(file.name) || parts.some(isSystemFile)) tree.skippedCount += 1;
    else tree.files.push({ file, path: parts.slice(0, -1).join("/") });
  }
  return tree.files.length > MAX_FILES ? { ...emptyTree(), hasTooManyFiles: true } : tree;
}

/** Returns the entries of a drop. Must be called within the event, because its items are unavailable afterwards. */
export function getDropEntries(data: Pick<DataTransfer, "items">): (FileSystemEntry | File)[] {
  return [...data.items].flatMap((item) => (item.kind === "file" ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : []));
}

/** Reads dropped files and folders recursively, although browsers return a folder's entries in batches. */
export async function readDropEntries(entries: readonly (FileSystemEntry | File)[]): Promise<DroppedFiles> {
  const tree = emptyTree();

  async function addEntry(entry: FileSystemEntry | File, path: string): Promise<boolean> {
    if (tree.hasTooManyFiles) return true;
    if (isSystemFile(entry.name)) {
      tree.skippedCount += 1;
      return false;
    }
    if (entry instanceof File) tree.files.push({ file: entry, path });
    else if (entry.isFile) {
      try {
        tree.files.push({ file: await readFile(entry as FileSystemFileEntry), path });
      } catch {
        tree.unreadableNames.push(entry.name);
      }
    } else if (entry.isDirectory) await addFolder(entry as FileSystemDirectoryEntry, joinPath(path, entry.name));
    if (tree.files.length > MAX_FILES) tree.hasTooManyFiles = true;
    return true;
  }

  async function addFolder(folder: FileSystemDirectoryEntry, path: string): Promise<void> {
    const reader = folder.createReader();
    let addedCount = 0;
    for (;;) {
      let batch: FileSystemEntry[];
      try {
        batch = await readBatch(reader);
      } catch {
        tree.unreadableNames.push(folder.name);
        break;
      }
      if (batch.length === 0 || tree.hasTooManyFiles) break;
      for (const entry of batch) if (await addEntry(entry, path)) addedCount += 1;
    }
    if (addedCount === 0) tree.emptyFolders.push(path);
  }

  for (const entry of entries) await addEntry(entry, "");
  return tree.hasTooManyFiles ? { ...emptyTree(), hasTooManyFiles: true } : tree;
}

const readFile = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
const readBatch = (reader: FileSystemDirectoryReader) => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
