import { Pencil, Trash2, Ellipsis } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { Task } from "../../../contract/task-records.ts";
import { classes } from "../../lib/classes.ts";
import { formatFullDay } from "../../lib/days.ts";
import { t } from "../../lib/messages/tasks.ts";
import { formatAgo } from "../../lib/time.ts";
import { usePeople } from "../../queries/members/use-people.ts";
import { explain } from "../../queries/problems.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { useCloseTask } from "../../queries/tasks/use-change-tasks.ts";
import { useTaskRights } from "../../queries/tasks/use-tasks.ts";
import { announce } from "../../ui/announce.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { DeleteTaskDialog } from "./DeleteTaskDialog.tsx";
import { dueOf } from "./due.ts";
import { EditTaskDialog } from "./EditTaskDialog.tsx";

interface Props {
  task: Task;
  /** Where it belongs, in lists over several files. */
  place?: ReactNode;
  /** Off where all are for the same person. */
  showsAssignee?: boolean;
  /** Called with the task as it was when this person closes it or opens it again. */
  onToggle?(task: Task, closed: boolean): void;
  /** Called when it is gone, so that the focus can go elsewhere. */
  onDeleted(): void;
}

/** One task: what, for whom, until when; closed by one press. */
export function TaskRow({ task, place, showsAssignee = true, onToggle, onDeleted }: Props) {
  const id = useId();
  const rights = useTaskRights(task);
  const close = useCloseTask();
  const [asking, setAsking] = useState<"edit" | "delete" | null>(null);
  const { title, closed } = task;

  function toggle() {
    const next = !closed;
    onToggle?.(task, next);
    close.mutate(
      { task, closed: next },
      {
        onSuccess: () => announce(t(next ? "closed" : "opened", { title })),
        onError: () => {
          onToggle?.(task, closed);
          announce(t("notClosed", { title }));
        },
      },
    );
  }
  return (
    <li className="flex min-h-11 items-start gap-2 py-1.5">
      <label title={rights.closes ? undefined : t("guest")} className="-ml-1 inline-flex size-8 shrink-0 items-center justify-center">
        <input
          type="checkbox"
          aria-labelledby={`${id}-title`}
          checked={closed}
          disabled={!rights.closes}
          onChange={toggle}
          className="size-4.5 accent-accent disabled:opacity-50"
        />
      </label>
      <div className="min-w-0 flex-1 pt-1.5">
        <p id={`${id}-title`} className={classes("break-words", closed && "text-text-2 line-through decoration-text-3")}>
          <bdi>{title}</bdi>
        </p>
        <Facts task={task} place={place} showsAssignee={showsAssignee} />
        {close.error && (
          <p role="alert" className="text-sm text-danger">
            {explain(close.error).title}
          </p>
        )}
      </div>
      {rights.edits && (
        <Menu label={t("more", { title })} trigger={<Ellipsis size={18} aria-hidden />} triggerClass={iconButtonClasses} align="end">
          <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => setAsking("edit")}>
            {t("edit")}
          </MenuItem>
          <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => setAsking("delete")}>
            {t("delete")}
          </MenuItem>
        </Menu>
      )}
      {asking === "edit" && <EditTaskDialog task={task} onClose={() => setAsking(null)} />}
      {asking === "delete" && <DeleteTaskDialog task={task} onDeleted={onDeleted} onClose={() => setAsking(null)} />}
    </li>
  );
}

function Facts({ task, place, showsAssignee }: { task: Task; place: ReactNode; showsAssignee: boolean }) {
  const { account } = useSession();
  const personOf = usePeople(task.project_id);
  const due = dueOf(task);
  const { assignee_account_id: assignee, closed_at: closedAt } = task;
  const person = assignee === null ? undefined : personOf(assignee);
  const closer = task.closed_by_account_id === null ? undefined : personOf(task.closed_by_account_id);
  const facts = [
    due && !task.closed && (
      <span key="due" title={formatFullDay(task.due_date ?? "")} className={due.overdue ? "font-medium text-danger" : undefined}>
        {due.text}
      </span>
    ),
    showsAssignee && assignee !== null && (
      <span key="assignee" className="inline-flex min-w-0 items-center gap-1.5">
        <Avatar id={assignee} name={person?.name ?? "?"} url={person?.avatarUrl ?? null} size="xs" />
        <bdi className="truncate">{assignee === account.id ? t("forYou") : t("assignedTo", { name: person?.name ?? t("somebody") })}</bdi>
      </span>
    ),
    task.closed && closedAt !== null && (
      <span key="closed">{closer ? t("closedBy", { when: formatAgo(closedAt), name: closer.name }) : t("closedOn", { when: formatAgo(closedAt) })}</span>
    ),
    place,
  ].filter(Boolean);
  return facts.length > 0 && <div className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-text-2">{facts}</div>;
}
