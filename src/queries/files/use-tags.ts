import { useMutation } from "@tanstack/react-query";
import { useClient } from "../../client/client.ts";
import { correctTags, regenerateTags } from "../../../contract/operations/tags.ts";
import type { BodyOf } from "../../api/http.ts";
import { useOperation } from "../operations.ts";
import { applyProcessingState, fileKeys } from "./cache-updates.ts";

/** Corrects a file's tempo or key by hand. */
export function useCorrectTags(fileId: number) {
  const client = useClient();
  const queryKey = fileKeys.info(fileId);
  return useMutation({
    mutationFn: (body: BodyOf<typeof correctTags>) => client.api.call(correctTags, { params: { file_id: fileId }, body }),
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
export const useRegenerateTags = () => useOperation(regenerateTags, (file_id: number) => ({ params: { file_id } }), { onSuccess: applyProcessingState });
