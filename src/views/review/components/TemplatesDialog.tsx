import { ListChecks, Trash2 } from "lucide-react";
import { useState } from "react";
import type { TaskTemplate } from "../../../../contract/task-records.ts";
import { t } from "../../../lib/messages/tasks.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { describeError } from "../../../queries/problems.ts";
import { usePermissions } from "../../../queries/session/use-rights.ts";
import { useDeleteTaskTemplate, useLoadTasks, useTaskTemplates } from "../../../queries/tasks/use-task-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";

interface Props {
  fileId: number;
  teamId: number;
  onClose(): void;
}

/** Lists the team's task templates, which can be loaded onto the file or folder or deleted. */
export function TemplatesDialog({ fileId, teamId, onClose }: Props) {
  const templates = useTaskTemplates(teamId);
  const loadTasks = useLoadTasks();
  const { canManageTaskTemplates } = usePermissions();
  const [templateToDelete, setTemplateToDelete] = useState<TaskTemplate | null>(null);
  const loadTemplate = ({ id }: TaskTemplate) =>
    loadTasks.mutate(
      { template_id: id, file_id: fileId },
      {
        onSuccess: (createdTasks) => {
          announce(t("loaded", { count: createdTasks.length }));
          onClose();
        },
      },
    );
  if (templateToDelete) return <DeleteDialog template={templateToDelete} onClose={() => setTemplateToDelete(null)} />;
  return (
    <Dialog title={t("templates")} description={t("templatesHelp")} closeLabel={t("close")} onClose={onClose} lightDismiss>
      {loadTasks.error && (
        <Notice title={describeError(loadTasks.error).title} className="mb-3">
          {describeError(loadTasks.error).help}
        </Notice>
      )}
      {templates.isPending && (
        <div className="px-4">
          <RowsSkeleton rows={2} />
        </div>
      )}
      {templates.isError && !templates.data && <LoadError error={templates.error} retry={() => void templates.refetch()} />}
      {templates.data?.length === 0 && (
        <EmptyState icon={<ListChecks size={22} aria-hidden />} title={t("noTemplates")}>
          {t("noTemplatesHelp")}
        </EmptyState>
      )}
      <ul>
        {templates.data?.map((template) => (
          <li key={template.id} className="flex items-center gap-3 border-b border-line py-2.5 last:border-0">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{template.name}</p>
              <p className="truncate text-sm text-text-2" title={template.tasks.map(({ title }) => title).join("\n")}>
                {t("templateCount", { count: template.tasks.length })} · {template.tasks.map(({ title }) => title).join(", ")}
              </p>
            </div>
            <Button size="sm" aria-label={t("loadNamed", { name: template.name })} pending={loadTasks.isPending} onClick={() => loadTemplate(template)}>
              {t("confirmLoad")}
            </Button>
            {canManageTaskTemplates && (
              <IconButton label={t("deleteTemplate", { name: template.name })} onClick={() => setTemplateToDelete(template)}>
                <Trash2 size={16} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function DeleteDialog({ template, onClose }: { template: TaskTemplate; onClose(): void }) {
  const deleteTemplate = useDeleteTaskTemplate(template.team_id);
  return (
    <ConfirmDialog
      title={t("deleteTemplateTitle", { name: template.name })}
      description={t("deleteTemplateHelp")}
      confirmLabel={t("confirmDelete")}
      cancelLabel={t("cancel")}
      pending={deleteTemplate.isPending}
      onConfirm={() => deleteTemplate.mutate(template.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {deleteTemplate.error && <Notice title={describeError(deleteTemplate.error).title}>{describeError(deleteTemplate.error).help}</Notice>}
    </ConfirmDialog>
  );
}
