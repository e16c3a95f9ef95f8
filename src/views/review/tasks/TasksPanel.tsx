import { Ellipsis, ListPlus, Plus, Save } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { cleanName } from "../../../../contract/text.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { createTasks as operation } from "../../../../contract/operations/tasks.ts";
import type { FileCommon } from "../../../../contract/records.ts";
import type { Task } from "../../../../contract/task-records.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { Form, SubmitButton } from "../../../components/Form.tsx";
import { AssigneeSelect } from "../../../components/tasks/EditTaskDialog.tsx";
import { TaskRow } from "../../../components/tasks/TaskRow.tsx";
import { useForm } from "../../../components/use-form.ts";
import { t } from "../../../lib/texts/tasks.ts";
import { isInaccessible } from "../../../queries/describe-error.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useCreateTasks, useTasks } from "../../../queries/tasks/use-tasks.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { SaveTemplateDialog, TemplatesDialog } from "./TemplatesDialog.tsx";

const TITLE = "tasks.0.title";
const ASSIGNEE = "tasks.0.assignee_account_id";
const DUE = "tasks.0.due_date";

/** Renders the tasks of a file, or of a folder and its contents; nothing if the service does not support tasks. */
export function TasksPanel({ common: { id, project_id, file_team_id }, isFolder }: { common: FileCommon; isFolder: boolean }) {
  const { data: tasks, error, refetch } = useTasks(id, isFolder);
  const canCreate = useCan("task.create");
  const canManageTemplates = useCan("task_template.manage");
  const heading = useRef<HTMLHeadingElement>(null);
  const focusAfterRemoval = useFocusAfterRemoval(heading);
  // Tasks closed here stay visible, so that an accidental click can be reverted.
  const [recentlyClosed, setRecentlyClosed] = useState<ReadonlySet<number>>(new Set());
  const [showsClosed, setShowsClosed] = useState(false);
  const [activeDialog, setActiveDialog] = useState<"load" | "save" | null>(null);
  if (!tasks && isInaccessible(error)) return null;

  const openTasks = tasks?.filter(({ closed }) => !closed) ?? [];
  const canSaveTemplate = canManageTemplates && openTasks.length > 0;
  const hiddenTasks = tasks?.filter((task) => task.closed && !recentlyClosed.has(task.id)) ?? [];
  const visibleTasks = showsClosed ? tasks : tasks?.filter((task) => !hiddenTasks.includes(task));
  const recordToggle = ({ id: taskId }: Task) => setRecentlyClosed((previous) => new Set([...previous, taskId]));
  return (
    <section aria-labelledby="file-tasks" className="min-w-0 border-b border-line px-4 py-5 tablet:px-5">
      <div className="flex min-h-8 items-center gap-2">
        <h2 id="file-tasks" ref={heading} tabIndex={-1} className="font-semibold">
          {t("tasks")}
        </h2>
        <p className="flex-1 text-text-2">{openTasks.length > 0 && t("open", { count: openTasks.length })}</p>
        {hiddenTasks.length > 0 && (
          <Button size="sm" variant="ghost" aria-expanded={showsClosed} onClick={() => setShowsClosed(!showsClosed)}>
            {showsClosed ? t("hideClosed") : t("showClosed", { count: hiddenTasks.length })}
          </Button>
        )}
        {(canCreate || canSaveTemplate) && (
          <Menu label={t("listMenu")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
            {canCreate && <MenuItem icon={<ListPlus size={16} aria-hidden />} text={t("loadTemplate")} onSelect={() => setActiveDialog("load")} />}
            {canSaveTemplate && <MenuItem icon={<Save size={16} aria-hidden />} text={t("saveAsTemplate")} onSelect={() => setActiveDialog("save")} />}
          </Menu>
        )}
      </div>
      {error !== null && !tasks && <LoadError error={error} retry={() => void refetch()} />}
      {error === null && !tasks && (
        <div role="status" aria-label={t("loading")} className="mt-3 flex flex-col gap-4 py-1.5">
          <Skeleton className="h-3.5 w-64 max-w-full" />
          <Skeleton className="h-3.5 w-48" />
          <Skeleton className="h-9" />
        </div>
      )}
      {tasks?.length === 0 && <p className="mt-1 text-text-2">{t("noTasks")}</p>}
      {tasks && tasks.length > 0 && openTasks.length === 0 && visibleTasks?.length === 0 && <p className="mt-1 text-text-2">{t("allDone")}</p>}
      {visibleTasks && visibleTasks.length > 0 && (
        <ul className="mt-1">
          {visibleTasks.map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              locationLabel={isFolder && task.file_id !== id ? <TaskLocation key="location" task={task} /> : undefined}
              onToggle={recordToggle}
              onDeleted={focusAfterRemoval}
            />
          ))}
        </ul>
      )}
      {tasks && canCreate && <NewTask fileId={id} projectId={project_id} />}
      {activeDialog === "load" && <TemplatesDialog fileId={id} teamId={file_team_id} onClose={() => setActiveDialog(null)} />}
      {activeDialog === "save" && <SaveTemplateDialog teamId={file_team_id} tasks={openTasks} onClose={() => setActiveDialog(null)} />}
    </section>
  );
}

function TaskLocation({ task: { file_id, file_name } }: { task: Task }) {
  return (
    <Link to={`/files/${file_id}`} className="min-w-0 truncate text-link hover:underline">
      <bdi>{file_name}</bdi>
    </Link>
  );
}

const EMPTY_TASK: { [TITLE]: string; [ASSIGNEE]: number | null; [DUE]: string } = { [TITLE]: "", [ASSIGNEE]: null, [DUE]: "" };

/** Creates a task. Assignee and due date appear once a title is entered. */
function NewTask({ fileId, projectId }: { fileId: number; projectId: number }) {
  const form = useForm(useCreateTasks(), operation.body, EMPTY_TASK);
  const { values } = form;
  const latestValues = useRef(values);
  latestValues.current = values;
  const title = cleanName(values[TITLE]);
  return (
    <Form
      form={form}
      body={{ file_id: fileId, tasks: [{ title, assignee_account_id: values[ASSIGNEE], due_date: values[DUE] || null }] }}
      onDone={() => {
        announce(t("added", { title }));
        // The user began the next task while the request was in flight.
        if (latestValues.current !== values) return;
        form.setValues(EMPTY_TASK);
        const { activeElement } = document;
        if (activeElement === document.body || form.ref.current?.contains(activeElement)) form.ref.current?.querySelector("input")?.focus();
      }}
      className="mt-2 flex flex-col gap-2"
    >
      <div className="flex items-start gap-2">
        <TextField
          {...form.field(TITLE, t("taskTitle"))}
          label={t("newTask")}
          labelHidden
          placeholder={t("newPlaceholder")}
          autoComplete="off"
          maxLength={LIMITS.task_title_characters}
          className="min-w-0 flex-1"
        />
        <SubmitButton icon={Plus} form={form} variant="secondary" className="h-9">
          {t("add")}
        </SubmitButton>
      </div>
      {title !== "" && (
        <div className="grid gap-2 @min-[28rem]:grid-cols-2">
          <AssigneeSelect {...form.field(ASSIGNEE, t("assignee"))} projectId={projectId} assigneeId={null} />
          <TextField {...form.field(DUE, t("dueDate"))} type="date" max="9999-12-31" />
        </div>
      )}
    </Form>
  );
}
