/** Folders that are to be there: which of them are missing, and in which order they are made. */
import { fileNameKey } from "./name-key.ts";

export interface KnownFolder {
  id: number;
  parent_id: number | null;
  name: string;
}

export interface FolderService {
  /** Every folder as the service knows it now. */
  load(): Promise<readonly KnownFolder[]>;
  /** Answers the new folder; null where its name is taken by now. */
  create(parentId: number, name: string): Promise<KnownFolder | null>;
}

/** Every folder on the way to each of `paths`, once, those above first. */
export function ancestorPaths(paths: readonly string[]): string[][] {
  const pathsByKey = new Map<string, string[]>();
  for (const path of paths) {
    const parts = path.split("/").filter(Boolean);
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const segments = parts.slice(0, depth);
      pathsByKey.set(segments.map(fileNameKey).join("/"), pathsByKey.get(segments.map(fileNameKey).join("/")) ?? segments);
    }
  }
  return [...pathsByKey.values()].toSorted((a, b) => a.length - b.length);
}

/** Makes what is missing below `rootId`; what others make meanwhile is used. */
export async function ensureFolders(rootId: number, paths: readonly string[], { load, create }: FolderService): Promise<void> {
  let folders = await load();
  const ids = new Map<string, number>([["", rootId]]);
  for (const segments of ancestorPaths(paths)) {
    const parentSegments = segments.slice(0, -1);
    const parentId = ids.get(parentSegments.map(fileNameKey).join("/"));
    const name = segments.at(-1)!;
    if (parentId === undefined) continue;
    const find = () => folders.find((candidate) => candidate.parent_id === parentId && fileNameKey(candidate.name) === fileNameKey(name));
    let folder = find() ?? (await create(parentId, name));
    if (!folder) {
      // Taken between looking and making: by a folder it is as wanted, by a file there can be none.
      folders = await load();
      folder = find() ?? null;
    }
    if (folder) ids.set(segments.map(fileNameKey).join("/"), folder.id);
  }
}
