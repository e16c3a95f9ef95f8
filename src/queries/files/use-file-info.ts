import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { getFileInfo, retryProcessing } from "../../api/files.ts";
import { patchAllHistories } from "../messages/message-cache.ts";
import { fileKeys } from "./file-cache.ts";
import { isProcessing, updateAttachments, withProcessingState } from "./file-updates.ts";

/** Applies while processing continues, since the live channel may be down. */
const POLL_INTERVAL_MS = 4_000;

export const processingPollInterval = ({ state: { data } }: { state: { data?: FileInfoResponse | undefined } }) =>
  data && isProcessing(data.common.transcoding_status) ? POLL_INTERVAL_MS : false;

const fileQueries = {
  info: (fileId: number) =>
    queryOptions({
      queryKey: fileKeys.info(fileId),
      queryFn: ({ signal }) => getFileInfo(fileId, null, { signal }),
      refetchInterval: processingPollInterval,
    }),
};

export const useFileInfo = (fileId: number) => useQuery(fileQueries.info(fileId));

/** Fetches a file's info once, without a view of it. */
export function useFetchFileInfo() {
  const client = useQueryClient();
  return useCallback((fileId: number) => client.fetchQuery({ ...fileQueries.info(fileId), retry: false }), [client]);
}

/** Retries the failed processing of a file; the live channel reports its progress. */
export function useRetryProcessing() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: retryProcessing,
    onSuccess: (file) => {
      patchAllHistories(client, (history) => updateAttachments(history, file.id, withProcessingState(file)));
      void client.invalidateQueries({ queryKey: fileKeys.info(file.id), exact: true });
    },
  });
}
