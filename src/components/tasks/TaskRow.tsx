import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { Task } from "../../../contract/task-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { formatFullDay } from "../../lib/days.ts";
import { t as tArchived } from "../../lib/texts/archived.ts";
import { t } from "../../lib/texts/tasks.ts";
import { formatRelativeTime } from "../../lib/time.ts";
import { describeError } from "../../queries/describe-error.ts";
import { usePeople } from "../../queries/members.ts";
import { useCurrentUser } from "../../queries/permissions.ts";
import { useSession } from "../../queries/session.ts";
import { useCloseTask, useDeleteTask, useTaskPermissions } from "../../queries/tasks/use-tasks.ts";
import { announce } from "../../ui/announce.ts";
import { Avatar } from "../Avatar.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { ConfirmAction } from "../FormDialog.tsx";
import { EditTaskDialog } from "./EditTaskDialog.tsx";
import { describeDue } from "./tasks.ts";
import { AgentBadge } from "../agents/AgentBadge.tsx";

interface Props {
  task: Task;
  /** The file of the task, in lists over several files. */
  locationLabel?: ReactNode;
  /** Off if all tasks have the same assignee. */
  showsAssignee?: boolean;
  /** Called with the task as it was before this person closed or reopened it. */
  onToggle?(task: Task, closed: boolean): void;
  /** Called after the deletion, so that the focus can move elsewhere. */
  onDeleted(): void;
}

/** Shows one task with title, assignee and due date; one press closes it. */
export function TaskRow({ task, locationLabel, showsAssignee = true, onToggle, onDeleted }: Props) {
  const id = useId();
  const permissions = useTaskPermissions(task);
  const { isArchived } = useCurrentUser();
  const closeTask = useCloseTask();
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const { title, closed } = task;

  function toggle() {
    const next = !closed;
    onToggle?.(task, next);
    closeTask.mutate(
      { task, closed: next },
      {
        onSuccess: () => announce(t(next ? "closed" : "reopened", { title })),
        onError: () => {
          onToggle?.(task, closed);
          announce(t("notClosed", { title }));
        },
      },
    );
  }
  return (
    <li className="flex min-h-11 items-start gap-2 py-1.5">
      <label
        title={permissions.canClose ? undefined : isArchived ? tArchived("isArchived") : t("guestCannotClose")}
        className="-ml-1 inline-flex size-8 shrink-0 items-center justify-center"
      >
        <input type="checkbox" aria-labelledby={`${id}-title`} checked={closed} disabled={!permissions.canClose} onChange={toggle} />
      </label>
      <div className="min-w-0 flex-1 pt-1.5">
        <p id={`${id}-title`} className={classNames("break-words", closed && "text-text-2 line-through decoration-text-3")}>
          <bdi>{title}</bdi>
        </p>
        <TaskDetails task={task} locationLabel={locationLabel} showsAssignee={showsAssignee} />
        {closeTask.error && (
          <p role="alert" className="text-sm text-danger">
            {describeError(closeTask.error).title}
          </p>
        )}
      </div>
      {permissions.canEdit && (
        <Menu label={t("more", { title })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
          <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setDialog("edit")}>
            {t("edit")}
          </MenuItem>
          <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => setDialog("delete")}>
            {t("delete")}
          </MenuItem>
        </Menu>
      )}
      {dialog === "edit" && <EditTaskDialog task={task} onClose={() => setDialog(null)} />}
      {dialog === "delete" && <DeleteTaskDialog task={task} onDeleted={onDeleted} onClose={() => setDialog(null)} />}
    </li>
  );
}

function TaskDetails({ task, locationLabel, showsAssignee }: { task: Task; locationLabel: ReactNode; showsAssignee: boolean }) {
  const { account } = useSession();
  const personOf = usePeople(task.project_id);
  const due = describeDue(task);
  const now = useServiceTime();
  const { assignee_account_id: assignee, closed_at: closedAt } = task;
  const person = assignee === null ? undefined : personOf(assignee);
  const closedBy = task.closed_by_account_id === null ? undefined : personOf(task.closed_by_account_id);
  const details = [
    due && !task.closed && (
      <span key="due" title={formatFullDay(task.due_date ?? "")} className={due.isOverdue ? "font-medium text-danger" : undefined}>
        {due.text}
      </span>
    ),
    showsAssignee && assignee !== null && (
      <span key="assignee" className="inline-flex min-w-0 items-center gap-1.5">
        <Avatar id={assignee} name={person?.name ?? "?"} url={person?.avatarUrl ?? null} size="xs" />
        <bdi className="truncate">{assignee === account.id ? t("forYou") : t("assignedTo", { name: person?.name ?? t("formerMember") })}</bdi>
        <AgentBadge accountId={assignee} />
      </span>
    ),
    task.closed && closedAt !== null && (
      <span key="closed" className="inline-flex min-w-0 items-center gap-1.5">
        {closedBy
          ? t("closedBy", { when: formatRelativeTime(closedAt, now), name: closedBy.name })
          : t("closedOn", { when: formatRelativeTime(closedAt, now) })}
        <AgentBadge accountId={task.closed_by_account_id} />
      </span>
    ),
    locationLabel,
  ].filter(Boolean);
  return details.length > 0 && <div className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-text-2">{details}</div>;
}

function DeleteTaskDialog({ task, onDeleted, onClose }: { task: Task; onDeleted(): void; onClose(): void }) {
  const remove = useDeleteTask();
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle")}
      description={t("deleteHelp", { title: task.title })}
      confirmLabel={t("confirmDelete")}
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
    />
  );
}
