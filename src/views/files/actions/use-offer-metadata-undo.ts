import type { FileMetadata, MetadataChanges } from "../../../../contract/metadata-records.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { type UndoResult, undoValues } from "../../../queries/metadata/undo-values.ts";
import { useToasts } from "../../../ui/toast.ts";

/** Returns a function that says what was saved and offers to give the files their former values again. */
export function useOfferMetadataUndo(projectId: number) {
  const client = useClient();
  const toasts = useToasts();
  return (text: string, before: readonly FileMetadata[], values: MetadataChanges): void => {
    const undo = async () => {
      try {
        toasts.show({ text: describeUndo(await undoValues(client, projectId, before, values)) });
      } catch (error) {
        toasts.showError(t("notUndone", { reason: formatErrorReason(error) }));
      }
    };
    toasts.offerUndo(text, t("undo"), () => void undo());
  };
}

/** Returns what was undone, and what not and why. */
export function describeUndo({ restored, changed, refused, gone }: UndoResult): string {
  const rest = [["undoneChanged", changed] as const, ["undoneRefused", refused] as const, ["undoneGone", gone] as const];
  const undone = restored === 0 ? t("nothingUndone") : t("undone", { count: restored });
  return [undone, ...rest.flatMap(([key, count]) => (count === 0 ? [] : t(key, { count })))].join(" ");
}
