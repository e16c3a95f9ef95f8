import { ConfirmAction } from "../../../components/FormDialog.tsx";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useDeleteField, useDeleteTemplate, useRestoreField, useRestoreTemplate } from "../../../queries/metadata/use-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { useToasts } from "../../../ui/toast.ts";

interface DeleteDialogProps {
  teamId: number;
  kind: "template" | "field";
  record: { id: number; name: string };
  onDeleted(): void;
  onClose(): void;
}

/** Deletes a template or a field after a confirmation, and offers to undo it. */
export function DeleteDialog({ teamId, kind, record: { id, name }, onDeleted, onClose }: DeleteDialogProps) {
  const [removeTemplate, removeField] = [useDeleteTemplate(teamId), useDeleteField(teamId)];
  const [restoreTemplate, restoreField] = [useRestoreTemplate(teamId), useRestoreField(teamId)];
  const toasts = useToasts();
  const remove = kind === "template" ? removeTemplate : removeField;
  const restore = kind === "template" ? restoreTemplate : restoreField;
  const undo = () =>
    restore.mutateAsync(id).then(
      () => announce(t("restored", { name })),
      (error: unknown) => toasts.showError(t("restoreFailed", { name, reason: formatErrorReason(error) })),
    );
  return (
    <ConfirmAction
      action={remove}
      title={t(kind === "template" ? "deleteTemplate" : "deleteField", { name })}
      description={t(kind === "template" ? "deleteTemplateHelp" : "deleteFieldHelp")}
      confirmLabel={t("confirmDelete")}
      onConfirm={() =>
        void remove.mutateAsync(id).then(
          ({ value_count }) => {
            toasts.offerUndo(t("deleted", { name, count: value_count }), t("undo"), () => void undo());
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
