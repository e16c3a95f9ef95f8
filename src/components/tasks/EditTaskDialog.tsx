import { cleanName } from "../../../contract/text.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { updateTask as operation } from "../../../contract/operations/tasks.ts";
import type { Task } from "../../../contract/task-records.ts";
import { toIsoDate } from "../../lib/days.ts";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/tasks.ts";
import { usePeople } from "../../queries/members.ts";
import { useProjectMembers } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { useUpdateTask } from "../../queries/tasks/use-tasks.ts";
import { useForm } from "../use-form.ts";
import { type FieldProps, TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { FormDialog } from "../FormDialog.tsx";
import { listAssignees } from "./tasks.ts";

/** Edits the title, assignee and due date of a task. */
export function EditTaskDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const update = useUpdateTask();
  const form = useForm(
    { ...update, mutateAsync: (changes: Parameters<typeof update.mutate>[0]["changes"]) => update.mutateAsync({ id: task.id, changes }) },
    operation.body,
    { title: task.title, assignee_account_id: task.assignee_account_id, due_date: task.due_date === null ? "" : toIsoDate(task.due_date) },
  );
  const { values } = form;
  return (
    <FormDialog
      title={t("editTitle")}
      form={form}
      body={{ ...values, title: cleanName(values.title), due_date: values.due_date || null }}
      onDone={onClose}
      onClose={onClose}
      submitLabel={tCommon("save")}
    >
      <TextField {...form.field("title", t("taskTitle"))} autoComplete="off" autoFocus required maxLength={LIMITS.task_title_characters} />
      <AssigneeSelect {...form.field("assignee_account_id", t("assignee"))} projectId={task.project_id} assigneeId={task.assignee_account_id} />
      <TextField {...form.field("due_date", t("dueDate"))} type="date" max="9999-12-31" />
    </FormDialog>
  );
}

/** Offers the people who can be assigned a task of this project, the signed-in account first, and `assigneeId` even if that person has left. */
export function AssigneeSelect({ projectId, assigneeId, ...field }: FieldProps<number | null> & { projectId: number; assigneeId: number | null }) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data ?? [];
  const personOf = usePeople(projectId);
  const assignee = assigneeId === null ? null : { id: assigneeId, username: personOf(assigneeId)?.name ?? t("formerMember") };
  const people = listAssignees(members, account, assignee);
  return <Select {...field} options={[[null, t("unassigned")], ...people.map(({ id, username }) => [id, username] as const)]} />;
}
