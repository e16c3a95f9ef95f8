/** Creates missing folders, parents first. */
import { fileNameKey } from "./name-key.ts";

export interface KnownFolder {
  id: number;
  parent_id: number | null;
  name: string;
}

export interface FolderService {
  /** Returns every folder that the service has now. */
  load(): Promise<readonly KnownFolder[]>;
  /** Returns the new folder; null when its name is taken by now. */
  create(parentId: number, name: string): Promise<KnownFolder | null>;
}

/** Returns every folder on the way to each of `paths`, without duplicates, parents first. */
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

/** Creates the missing folders below `rootId`, and uses those that others create meanwhile. */
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
      // The name was taken after the listing: a folder of that name is used, while a file of that name rules the folder out.
      folders = await load();
      folder = find() ?? null;
    }
    if (folder) ids.set(segments.map(fileNameKey).join("/"), folder.id);
  }
}
