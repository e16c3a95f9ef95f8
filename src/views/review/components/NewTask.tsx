import { Plus } from "lucide-react";
import { useState } from "react";
import { createTasks as operation } from "../../../../contract/operations/tasks.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/messages/tasks.ts";
import { AssigneeOptions } from "../../../parts/tasks/AssigneeOptions.tsx";
import { useCreateTasks } from "../../../queries/tasks/use-change-tasks.ts";
import { useForm } from "../../../queries/use-form.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { SelectField, TextField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";

const TITLE = "tasks.0.title";
const ASSIGNEE = "tasks.0.assignee_account_id";
const DUE = "tasks.0.due_date";

/** Creates a task. Assignee and due date appear once a title is entered. */
export function NewTask({ fileId, projectId }: { fileId: number; projectId: number }) {
  const [title, setTitle] = useState("");
  const [assignee, setAssignee] = useState<number | null>(null);
  const [dueDate, setDueDate] = useState("");
  const form = useForm(useCreateTasks(), operation.body, [TITLE, ASSIGNEE, DUE]);
  return (
    <form
      ref={form.ref}
      noValidate
      className="mt-2 flex flex-col gap-2"
      onSubmit={async (event) => {
        const task = { title: title.trim(), assignee_account_id: assignee, due_date: dueDate === "" ? null : dueDate };
        if (!(await form.submit(event, { file_id: fileId, tasks: [task] }))) return;
        announce(t("added", { title: task.title }));
        setTitle("");
        setAssignee(null);
        setDueDate("");
        form.ref.current?.querySelector("input")?.focus();
      }}
    >
      {form.problem && <Notice title={form.problem.title}>{form.problem.help}</Notice>}
      <div className="flex items-start gap-2">
        <TextField
          label={t("newTask")}
          labelHidden
          placeholder={t("newPlaceholder")}
          autoComplete="off"
          maxLength={LIMITS.task_title_characters}
          className="min-w-0 flex-1"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          error={form.errorOf(TITLE, t("taskTitle"))}
        />
        <Button type="submit" className="h-9" pending={form.isPending}>
          <Plus size={16} aria-hidden />
          {t("add")}
        </Button>
      </div>
      {title.trim() !== "" && (
        <div className="grid gap-2 tablet:grid-cols-2">
          <SelectField
            label={t("assignee")}
            value={assignee ?? ""}
            onChange={(event) => setAssignee(Number(event.target.value) || null)}
            error={form.errorOf(ASSIGNEE, t("assignee"))}
          >
            <AssigneeOptions projectId={projectId} selectedId={null} />
          </SelectField>
          <TextField
            label={t("dueDate")}
            type="date"
            max="9999-12-31"
            value={dueDate}
            onChange={(event) => setDueDate(event.target.value)}
            error={form.errorOf(DUE, t("dueDate"))}
          />
        </div>
      )}
    </form>
  );
}
