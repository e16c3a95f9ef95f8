import { useCallback, useMemo } from "react";
import { createFolder } from "../../../contract/operations/files.ts";
import { listFolders } from "../../../contract/operations/files-view.ts";
import { useClient } from "../../client/client.ts";
import { ApiError } from "../../api/api-error.ts";
import { archiveUrl, assertArchiveAvailable } from "../../api/project-files.ts";
import { randomId } from "../../lib/random-id.ts";
import { invalidate } from "../query-client.ts";
import * as mutations from "./file-mutations.ts";
import { fileListKeys } from "./list-query.ts";

type Bound<A> = { [Name in keyof A]: A[Name] extends (client: infer _, ...args: infer P) => infer R ? (...args: P) => R : never };
export type FileMutations = Bound<typeof mutations> & { archiveUrl: typeof archiveUrl; assertArchiveAvailable: typeof assertArchiveAvailable };

/** Returns the actions on files, which continue after the calling view unmounts. */
export function useFileMutations(): FileMutations {
  const client = useClient();
  return useMemo(() => {
    const bound = Object.entries(mutations).map(([name, mutation]) => [name, (mutation as (...all: unknown[]) => unknown).bind(null, client)]);
    return { ...(Object.fromEntries(bound) as Bound<typeof mutations>), archiveUrl, assertArchiveAvailable };
  }, [client]);
}

/** Creates empty folders below a project's folder; folders with files are created by their uploads. */
export function useCreateFolders(projectId: number) {
  const client = useClient();
  return useCallback(
    async (folderId: number, paths: readonly string[]) => {
      await ensureFolders(folderId, paths, {
        load: () => client.api.data(listFolders, { params: { project_id: projectId } }),
        create: async (parentId, name) => {
          try {
            return await client.api.data(createFolder, { body: { parent_id: parentId, name } }, { idempotencyKey: randomId() });
          } catch (error) {
            if (error instanceof ApiError && error.status === 409) return null;
            throw error;
          }
        },
      });
      invalidate(client, fileListKeys.project(projectId));
    },
    [client, projectId],
  );
}

export interface KnownFolder {
  id: number;
  parent_id: number | null;
  name: string;
}

interface FolderService {
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

/** Creates the missing folders below `rootId`, parents first, and uses those that others create meanwhile. */
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
      // The name was taken after the listing: use a folder of that name; if a file has the name, the folder cannot be created.
      folders = await load();
      folder = find() ?? null;
    }
    if (folder) ids.set(segments.map(fileNameKey).join("/"), folder.id);
  }
}

/** Returns a key that is equal for names that differ only in case or Unicode form, by the service's rule. */
const fileNameKey = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");
