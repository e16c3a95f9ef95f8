import type { FileMetadata, MetadataChanges } from "../../../../contract/metadata-records.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { undoValues } from "../../../queries/metadata/values-of-files.ts";
import { useToasts } from "../../../ui/toast.ts";

/** Returns a function that says what was saved and offers to give the files their former values again. */
export function useOfferMetadataUndo(projectId: number) {
  const client = useClient();
  const toasts = useToasts();
  return (text: string, before: readonly FileMetadata[], values: MetadataChanges): void => {
    const undo = async () => {
      try {
        const { restored, skipped } = await undoValues(client, projectId, before, values);
        const undone = t("undone", { count: restored });
        toasts.show({ text: skipped === 0 ? undone : t("undoneButSkipped", { undone, count: skipped }) });
      } catch (error) {
        toasts.showError(t("notUndone", { reason: formatErrorReason(error) }));
      }
    };
    toasts.offerUndo(text, t("undo"), () => void undo());
  };
}
