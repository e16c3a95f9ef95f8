import { useState } from "react";
import { LIMITS } from "../../../contract/limits.ts";
import { updateTask as operation } from "../../../contract/operations/tasks.ts";
import type { Task } from "../../../contract/task-records.ts";
import { toIsoDate } from "../../lib/days.ts";
import { t } from "../../lib/texts/tasks.ts";
import { usePeople } from "../../queries/members.ts";
import { useProjectMembers } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { useUpdateTask } from "../../queries/tasks/use-tasks.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { SelectField, TextField } from "../../ui/Field.tsx";
import { FormProblem } from "../ErrorNotice.tsx";
import { listAssignees } from "./tasks.ts";

/** Edits the title, assignee and due date of a task. */
export function EditTaskDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const [title, setTitle] = useState(task.title);
  const [assignee, setAssignee] = useState(task.assignee_account_id);
  const [day, setDay] = useState(task.due_date === null ? "" : toIsoDate(task.due_date));
  const update = useUpdateTask();
  const mutation = {
    mutateAsync: (changes: Parameters<typeof update.mutate>[0]["changes"]) => update.mutateAsync({ id: task.id, changes }),
    isPending: update.isPending,
    error: update.error,
    reset: update.reset,
  };
  const form = useForm(mutation, operation.body, ["title", "assignee_account_id", "due_date"]);
  return (
    <Dialog title={t("editTitle")} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const changes = { title: title.trim(), assignee_account_id: assignee, due_date: day === "" ? null : day };
          if (await form.submit(event, changes)) onClose();
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("taskTitle")}
          autoComplete="off"
          autoFocus
          required
          maxLength={LIMITS.task_title_characters}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          error={form.errorOf("title", t("taskTitle"))}
        />
        <SelectField
          label={t("assignee")}
          value={assignee ?? ""}
          onChange={(event) => setAssignee(Number(event.target.value) || null)}
          error={form.errorOf("assignee_account_id", t("assignee"))}
        >
          <AssigneeOptions projectId={task.project_id} selectedId={task.assignee_account_id} />
        </SelectField>
        <TextField
          label={t("dueDate")}
          type="date"
          max="9999-12-31"
          value={day}
          onChange={(event) => setDay(event.target.value)}
          error={form.errorOf("due_date", t("dueDate"))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Options for the people who can be assigned a task of this project, the signed-in account first; includes `selectedId` even if that person has left. */
export function AssigneeOptions({ projectId, selectedId }: { projectId: number; selectedId: number | null }) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data ?? [];
  const personOf = usePeople(projectId);
  return (
    <>
      <option value="">{t("unassigned")}</option>
      {listAssignees(members, account, selectedId === null ? null : { id: selectedId, username: personOf(selectedId)?.name ?? t("formerMember") }).map(
        ({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ),
      )}
    </>
  );
}
