/** Folders that are to be there: which of them are missing, and in which order they are made. */
import { fileNameKey } from "./name-key.ts";

export interface KnownFolder {
  id: number;
  parent_id: number | null;
  name: string;
}

export interface Making {
  /** Every folder as the service knows it now. */
  load(): Promise<readonly KnownFolder[]>;
  /** Answers the new folder; null where its name is taken by now. */
  make(parentId: number, name: string): Promise<KnownFolder | null>;
}

/** Every folder on the way to each of `paths`, once, those above first. */
export function stepsOf(paths: readonly string[]): string[][] {
  const steps = new Map<string, string[]>();
  for (const path of paths) {
    const parts = path.split("/").filter(Boolean);
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const way = parts.slice(0, depth);
      steps.set(way.map(fileNameKey).join("/"), steps.get(way.map(fileNameKey).join("/")) ?? way);
    }
  }
  return [...steps.values()].toSorted((a, b) => a.length - b.length);
}

/** Makes what is missing below `rootId`; what others make meanwhile is used. */
export async function ensureFolders(rootId: number, paths: readonly string[], { load, make }: Making): Promise<void> {
  let known = await load();
  const ids = new Map<string, number>([["", rootId]]);
  for (const way of stepsOf(paths)) {
    const above = way.slice(0, -1);
    const parentId = ids.get(above.map(fileNameKey).join("/"));
    const name = way.at(-1)!;
    if (parentId === undefined) continue;
    const find = () => known.find((one) => one.parent_id === parentId && fileNameKey(one.name) === fileNameKey(name));
    let folder = find() ?? (await make(parentId, name));
    if (!folder) {
      // Taken between looking and making: by a folder it is as wanted, by a file there can be none.
      known = await load();
      folder = find() ?? null;
    }
    if (folder) ids.set(way.map(fileNameKey).join("/"), folder.id);
  }
}
