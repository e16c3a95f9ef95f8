import type { Task } from "../../../contract/task-records.ts";
import { t } from "../../lib/messages/tasks.ts";
import { describeError } from "../../queries/problems.ts";
import { useDeleteTask } from "../../queries/tasks/use-change-tasks.ts";
import { announce } from "../../ui/announce.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";

export function DeleteTaskDialog({ task, onDeleted, onClose }: { task: Task; onDeleted(): void; onClose(): void }) {
  const remove = useDeleteTask();
  return (
    <ConfirmDialog
      title={t("deleteTitle")}
      description={t("deleteHelp", { title: task.title })}
      confirmLabel={t("confirmDelete")}
      cancelLabel={t("cancel")}
      pending={remove.isPending}
      onConfirm={async () => {
        try {
          await remove.mutateAsync(task);
        } catch {
          // The notice shows the error.
          return;
        }
        announce(t("deleted", { title: task.title }));
        onDeleted();
      }}
      onClose={onClose}
    >
      {remove.error && <Notice title={describeError(remove.error).title}>{describeError(remove.error).help}</Notice>}
    </ConfirmDialog>
  );
}
