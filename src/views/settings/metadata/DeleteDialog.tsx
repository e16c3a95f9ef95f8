import type { MetadataField, MetadataTemplate, MetadataUsage } from "../../../../contract/metadata-records.ts";
import { ConfirmAction } from "../../../components/FormDialog.tsx";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useDeleteField, useDeleteTemplate, useRestoreField, useRestoreTemplate, useTemplateUsage } from "../../../queries/metadata/use-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";

interface DeleteDialogProps {
  teamId: number;
  template: MetadataTemplate;
  /** Null deletes the template. */
  field: MetadataField | null;
  onDeleted(): void;
  onClose(): void;
}

/** Deletes a template or a field after it has said how many values go with it, and offers to undo it. */
export function DeleteDialog({ teamId, template, field, onDeleted, onClose }: DeleteDialogProps) {
  const [removeTemplate, removeField] = [useDeleteTemplate(teamId), useDeleteField(teamId)];
  const [restoreTemplate, restoreField] = [useRestoreTemplate(teamId), useRestoreField(teamId)];
  const usage = useTemplateUsage(template.id);
  const toasts = useToasts();
  const { id, name } = field ?? template;
  const remove = field ? removeField : removeTemplate;
  const restore = field ? restoreField : restoreTemplate;
  const undo = () =>
    restore.mutateAsync(id).then(
      () => announce(t("restored", { name })),
      (error: unknown) => toasts.showError(t("restoreFailed", { name, reason: formatErrorReason(error) })),
    );
  // If the count is not to be had, the deletion is still possible, since it can be undone.
  const lost = usage.data ? describeLoss(usage.data, field) : usage.isPending ? t("counting") : null;
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name })}
      description={
        <>
          {lost !== null && <span aria-live="polite">{lost} </span>}
          {t("undoHelp")}
        </>
      }
      confirmLabel={t("confirmDelete")}
      onConfirm={() =>
        void remove.mutateAsync(id).then(
          ({ value_count }) => {
            const text = value_count === 0 ? t("deletedUnused", { name }) : t("deleted", { name, count: value_count });
            toasts.offerUndo(text, t("undo"), () => void undo());
            onDeleted();
            onClose();
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}

/** Says how many values files have for the field, or for all fields of the template. */
function describeLoss(usage: MetadataUsage, field: MetadataField | null): string {
  const count = field ? (usage.fields.find(({ field_id }) => field_id === field.id)?.value_count ?? 0) : usage.file_count;
  if (count === 0) return t("deleteUnused");
  return field ? t("deleteFieldUsed", { count }) : t("deleteTemplateUsed", { count, values: t("values", { count: usage.value_count }) });
}
