import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { setFileStatus } from "../../api/statuses.ts";
import type { FileInfoAnswer, FileStatus } from "../../../contract/records.ts";
import { fileKeys } from "../files/keys.ts";
import { putStatus } from "../files/put.ts";

/** The status that is shown of a file now; undefined where nothing cached tells it. */
function shownStatus(client: QueryClient, fileId: number): FileStatus | null | undefined {
  return client.getQueryData<FileInfoAnswer>(fileKeys.info(fileId))?.common.status;
}

interface Choice {
  fileId: number;
  status: FileStatus;
  before: FileStatus | null;
}

/**
 * Sets a file's status: shown at once, taken back when the service refuses.
 * The answer is not shown again: it says what is shown already, unless somebody else has chosen since and the live channel was faster.
 */
export function useSetStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ fileId, status }: Choice) => setFileStatus(fileId, status.id),
    // One after the other, so that the last choice is what stays.
    scope: { id: "file-status" },
    onMutate: async ({ fileId, status }) => {
      // An answer that was asked for before the choice would show the old status again.
      await client.cancelQueries({ queryKey: fileKeys.info(fileId), exact: true });
      putStatus(client, fileId, status);
    },
    onError: (_, { fileId, status, before }) => {
      const shown = shownStatus(client, fileId);
      if (shown === undefined || shown?.id === status.id) putStatus(client, fileId, before);
      void client.invalidateQueries({ queryKey: fileKeys.info(fileId), exact: true });
    },
    onSuccess: (_, { fileId }) => void client.invalidateQueries({ queryKey: fileKeys.info(fileId), exact: true, refetchType: "none" }),
  });
}
