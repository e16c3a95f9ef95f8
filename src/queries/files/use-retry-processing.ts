import { useMutation, useQueryClient } from "@tanstack/react-query";
import { retryProcessing } from "../../api/processing.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { updateAttachments, withProcessingState } from "./cache.ts";
import { fileKeys } from "./keys.ts";

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
