import { useMutation, useQueryClient } from "@tanstack/react-query";
import { correctTags, regenerateTags, type TagCorrection } from "../../api/tags.ts";
import { patchAllHistories } from "../messages/cache.ts";
import { updateAttachments, withProcessingState } from "./cache.ts";
import { fileKeys } from "./keys.ts";

/** Puts a file's tempo or key right by hand. */
export function useCorrectTags(fileId: number) {
  const client = useQueryClient();
  const queryKey = fileKeys.info(fileId);
  return useMutation({
    mutationFn: (correction: TagCorrection) => correctTags(fileId, correction),
    // One after the other, so that the last word stays.
    scope: { id: `tags:${fileId}` },
    onMutate: () => client.cancelQueries({ queryKey, exact: true }),
    onSuccess: (info) => {
      client.setQueryData(queryKey, info);
      // It holds for every version; the live channel's word finds the info above changed already and asks for none.
      void client.invalidateQueries({ queryKey: fileKeys.versions(fileId) });
    },
    onError: () => void client.invalidateQueries({ queryKey, exact: true }),
  });
}

/** Has tempo, key and tags of a file looked for again. How it goes is told by the live channel. */
export function useRegenerateTags() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: regenerateTags,
    onSuccess: (file) => {
      patchAllHistories(client, (history) => updateAttachments(history, file.id, withProcessingState(file)));
      void client.invalidateQueries({ queryKey: fileKeys.info(file.id), exact: true });
    },
  });
}
