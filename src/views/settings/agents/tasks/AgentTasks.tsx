import { ListChecks, Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { Agent } from "../../../../../contract/agent-records.ts";
import type { AgentTask } from "../../../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import { ConfirmAction } from "../../../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../../../components/ListSection.tsx";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { useAgentTasks, useDeleteAgentTask } from "../../../../queries/agents/agent-tasks.ts";
import { useCan } from "../../../../queries/permissions.ts";
import { useProjects } from "../../../../queries/projects.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../../../ui/use-focus-after-removal.ts";
import { RunDialog } from "./RunDialog.tsx";
import { RunsDialog } from "./RunsDialog.tsx";
import { TaskForm } from "./TaskForm.tsx";
import { TaskRow } from "./TaskRow.tsx";

type ActiveDialog = { kind: "new"; template: "approved" | null } | { kind: "edit" | "delete" | "runs" | "run"; task: AgentTask };

/** The tasks of an agent, with their state and their last run. */
export function AgentTasks({ agent }: { agent: Agent }) {
  const tasks = useAgentTasks(agent.id);
  const canManage = useCan("agent_task.manage");
  const projects = (useProjects().data ?? []).filter(({ id }) => agent.project_ids.includes(id));
  const [dialog, setDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const count = tasks.data?.length ?? 0;
  const isFull = count >= LIMITS.tasks_per_agent;
  const canAdd = canManage && projects.length > 0;
  const close = () => setDialog(null);
  const add = (template: "approved" | null) => setDialog({ kind: "new", template });
  // Somebody else may have deleted the task of the open dialog; its present record is shown.
  const current = dialog && "task" in dialog ? tasks.data?.find(({ id }) => id === dialog.task.id) : undefined;
  return (
    <ListSection
      title={t("tasks")}
      lead={t("lead")}
      actions={
        canAdd && (
          <Button ref={addButton} icon={Plus} disabled={isFull} onClick={() => add(null)}>
            {t("newTask")}
          </Button>
        )
      }
    >
      <ListState query={tasks} rows={2} />
      {tasks.data && count === 0 && (
        <EmptyState
          icon={<ListChecks size={22} aria-hidden />}
          title={t("empty")}
          actions={canAdd && <Button onClick={() => add("approved")}>{t("startApproved")}</Button>}
        >
          {t(canManage ? (canAdd ? "emptyHelp" : "emptyNoProject") : "emptyReadOnly")}
        </EmptyState>
      )}
      <ul>
        {tasks.data?.map((task) => (
          <TaskRow key={task.id} task={task} canManage={canManage} onOpen={(kind) => setDialog({ kind, task })} />
        ))}
      </ul>
      {canManage && isFull && <p className="py-3 text-text-2">{t("full", { most: LIMITS.tasks_per_agent })}</p>}
      {dialog?.kind === "new" && canAdd && <TaskForm agent={agent} projects={projects} task={null} template={dialog.template} onClose={close} />}
      {dialog?.kind === "edit" && current && <TaskForm agent={agent} projects={projects} task={current} template={null} onClose={close} />}
      {dialog?.kind === "runs" && current && <RunsDialog task={current} onClose={close} />}
      {dialog?.kind === "run" && current && <RunDialog task={current} onClose={close} />}
      {dialog?.kind === "delete" && current && <DeleteDialog task={current} onDeleted={focusAddButton} onClose={close} />}
    </ListSection>
  );
}

function DeleteDialog({ task, onDeleted, onClose }: { task: AgentTask; onDeleted(): void; onClose(): void }) {
  const remove = useDeleteAgentTask();
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name: task.name })}
      description={t("deleteHelp")}
      confirmLabel={t("confirmDelete")}
      onConfirm={() =>
        void remove.mutateAsync(task.id).then(
          () => {
            announce(t("deleted", { name: task.name }));
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
