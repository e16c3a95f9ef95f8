import { useMutation } from "@tanstack/react-query";
import { useClient } from "../../client/client.ts";
import { correctTags, regenerateTags, type TagCorrection } from "../../api/project-files.ts";
import { applyProcessingState, fileKeys } from "./cache-updates.ts";

/** Corrects a file's tempo or key by hand. */
export function useCorrectTags(fileId: number) {
  const client = useClient();
  const queryKey = fileKeys.info(fileId);
  return useMutation({
    mutationFn: (correction: TagCorrection) => correctTags(client.api, fileId, correction),
    // Corrections run one after the other, so that the last one wins.
    scope: { id: `tags:${fileId}` },
    onMutate: () => client.queryClient.cancelQueries({ queryKey, exact: true }),
    onSuccess: (info) => {
      client.queryClient.setQueryData(queryKey, info);
      // The correction applies to every version. Its live event finds the info already updated and refetches nothing.
      void client.queryClient.invalidateQueries({ queryKey: fileKeys.versions(fileId) });
    },
    onError: () => void client.queryClient.invalidateQueries({ queryKey, exact: true }),
  });
}

/** Detects a file's tempo, key and tags again; the live channel reports the progress. */
export function useRegenerateTags() {
  const client = useClient();
  return useMutation({
    mutationFn: (id: number) => regenerateTags(client.api, id),
    onSuccess: (file) => applyProcessingState(client, file),
  });
}
