import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { ApiError } from "../../api/api-error.ts";
import { makeFolder } from "../../api/file-changes.ts";
import { listFolders } from "../../api/file-lists.ts";
import { randomId } from "../../lib/random-id.ts";
import { fileListKeys } from "../file-lists/keys.ts";
import { invalidate } from "../renew.ts";
import { ensureFolders } from "./make-folders.ts";

/** Creates empty folders below a project's folder; folders with files are created by their uploads. */
export function useCreateFolders(projectId: number) {
  const client = useQueryClient();
  return useCallback(
    async (folderId: number, paths: readonly string[]) => {
      await ensureFolders(folderId, paths, {
        load: () => listFolders(projectId),
        create: async (parentId, name) => {
          try {
            return await makeFolder(parentId, name, { idempotencyKey: randomId() });
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
