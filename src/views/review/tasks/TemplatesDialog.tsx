import { ListChecks, Trash2 } from "lucide-react";
import { useState } from "react";
import { cleanName } from "../../../../contract/text.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { createTaskTemplate as operation } from "../../../../contract/operations/tasks.ts";
import type { Task, TaskTemplate } from "../../../../contract/task-records.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { ConfirmAction, FormDialog } from "../../../components/FormDialog.tsx";
import { useForm } from "../../../components/use-form.ts";
import { daysUntil } from "../../../lib/days.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/tasks.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useCreateTaskTemplate, useDeleteTaskTemplate, useLoadTasksFromTemplate, useTaskTemplates } from "../../../queries/tasks/use-tasks.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";

/** The service accepts no later due dates in a template. */
const MAX_DUE_DAYS = 3_650;

export function TemplatesDialog({ fileId, teamId, onClose }: { fileId: number; teamId: number; onClose(): void }) {
  const templates = useTaskTemplates(teamId);
  const loadTasks = useLoadTasksFromTemplate();
  const canManageTemplates = useCan("task_template.manage");
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
    <Dialog title={t("templates")} description={t("templatesHelp")} onClose={onClose} lightDismiss>
      <ErrorNotice error={loadTasks.error} className="mb-3" />
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
            {canManageTemplates && (
              <IconButton label={t("deleteTemplate", { name: template.name })} icon={Trash2} iconSize={16} onClick={() => setTemplateToDelete(template)} />
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
    <ConfirmAction
      action={deleteTemplate}
      title={t("deleteTemplateTitle", { name: template.name })}
      description={t("deleteTemplateHelp")}
      confirmLabel={t("confirmDelete")}
      onConfirm={() => deleteTemplate.mutate(template.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

export function SaveTemplateDialog({ teamId, tasks, onClose }: { teamId: number; tasks: readonly Task[]; onClose(): void }) {
  const form = useForm(useCreateTaskTemplate(), operation.body, { name: "" });
  const template = buildTemplate(tasks);
  return (
    <FormDialog
      title={t("saveTemplateTitle")}
      description={t("saveTemplateHelp", { count: template.length })}
      form={form}
      body={{ team_id: teamId, name: cleanName(form.values.name), tasks: template }}
      onDone={(saved) => {
        announce(t("templateSaved", { name: saved.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={tCommon("save")}
    >
      <TextField {...form.field("name", t("templateName"))} hint={t("templateHint")} autoComplete="off" autoFocus required maxLength={100} />
    </FormDialog>
  );
}

/**
 * Builds a template from tasks: their titles, and their due dates as days after the template is loaded. Tasks that have no due date, are overdue, or are
 * due in more than `MAX_DUE_DAYS` get no due days.
 */
export function buildTemplate(tasks: readonly Task[], now: Date = new Date()): TaskTemplate["tasks"] {
  return tasks.slice(0, LIMITS.tasks_per_request).map(({ title, due_date }) => {
    const days = due_date === null ? -1 : daysUntil(due_date, now);
    return { title, due_days: days >= 0 && days <= MAX_DUE_DAYS ? days : null };
  });
}
