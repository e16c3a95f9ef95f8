import { Ellipsis, ListPlus, Save } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import type { FileCommon } from "../../../../contract/records.ts";
import type { Task } from "../../../../contract/task-records.ts";
import { t } from "../../../lib/messages/tasks.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { TaskRow } from "../../../parts/tasks/TaskRow.tsx";
import { isMissing } from "../../../queries/problems.ts";
import { useRights } from "../../../queries/session/use-rights.ts";
import { useTasksOf } from "../../../queries/tasks/use-tasks.ts";
import { Button } from "../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useFocusWhenGone } from "../../../ui/use-focus-when-gone.ts";
import { KeepTemplateDialog } from "./KeepTemplateDialog.tsx";
import { NewTask } from "./NewTask.tsx";
import { TemplatesDialog } from "./TemplatesDialog.tsx";

interface Props {
  common: FileCommon;
  isFolder: boolean;
}

/** What is to be done about a file, or about a folder and what is in it. A service without tasks shows nothing of it. */
export function TasksPanel({ common: { id, project_id, file_team_id }, isFolder }: Props) {
  const { data: tasks, error, refetch } = useTasksOf(id, isFolder);
  const rights = useRights();
  const heading = useRef<HTMLHeadingElement>(null);
  const focusWhenGone = useFocusWhenGone(heading);
  // Closed here: they stay where they are, so that a wrong press can be taken back.
  const [closedHere, setClosedHere] = useState<ReadonlySet<number>>(new Set());
  const [showsClosed, setShowsClosed] = useState(false);
  const [asking, setAsking] = useState<"load" | "keep" | null>(null);
  if (!tasks && isMissing(error)) return null;

  const open = tasks?.filter(({ closed }) => !closed) ?? [];
  const hidden = tasks?.filter((task) => task.closed && !closedHere.has(task.id)) ?? [];
  const shown = showsClosed ? tasks : tasks?.filter((task) => !hidden.includes(task));
  const noteToggle = ({ id: taskId }: Task) => setClosedHere((before) => new Set([...before, taskId]));
  return (
    <section aria-labelledby="file-tasks" className="min-w-0 border-b border-line px-4 py-5 tablet:px-5">
      <div className="flex min-h-8 items-center gap-2">
        <h2 id="file-tasks" ref={heading} tabIndex={-1} className="font-semibold">
          {t("tasks")}
        </h2>
        <p className="flex-1 text-text-2">{open.length > 0 && t("open", { count: open.length })}</p>
        {hidden.length > 0 && (
          <Button size="sm" look="ghost" aria-expanded={showsClosed} onClick={() => setShowsClosed(!showsClosed)}>
            {showsClosed ? t("hideClosed") : t("showClosed", { count: hidden.length })}
          </Button>
        )}
        <Menu label={t("listMenu")} trigger={<Ellipsis size={18} aria-hidden />} triggerClass={iconButtonClasses} align="end">
          <MenuItem icon={<ListPlus size={16} aria-hidden />} onSelect={() => setAsking("load")}>
            {t("load")}
          </MenuItem>
          {rights.keepsTaskTemplates && open.length > 0 && (
            <MenuItem icon={<Save size={16} aria-hidden />} onSelect={() => setAsking("keep")}>
              {t("keep")}
            </MenuItem>
          )}
        </Menu>
      </div>
      {!tasks && (error ? <LoadError error={error} retry={() => void refetch()} /> : <PanelSkeleton />)}
      {tasks?.length === 0 && <p className="mt-1 text-text-2">{t("noneYet")}</p>}
      {tasks && tasks.length > 0 && open.length === 0 && shown?.length === 0 && <p className="mt-1 text-text-2">{t("allDone")}</p>}
      {shown && shown.length > 0 && (
        <ul className="mt-1">
          {shown.map((task) => (
            <TaskRow
              key={task.id}
              task={task}
              place={isFolder && task.file_id !== id ? <Place key="place" task={task} /> : undefined}
              onToggle={noteToggle}
              onDeleted={focusWhenGone}
            />
          ))}
        </ul>
      )}
      {tasks && <NewTask fileId={id} projectId={project_id} />}
      {asking === "load" && <TemplatesDialog fileId={id} teamId={file_team_id} onClose={() => setAsking(null)} />}
      {asking === "keep" && <KeepTemplateDialog teamId={file_team_id} tasks={open} onClose={() => setAsking(null)} />}
    </section>
  );
}

function Place({ task }: { task: Task }) {
  return (
    <Link to={`/files/${task.file_id}`} className="min-w-0 truncate text-link hover:underline">
      <bdi>{task.file_name}</bdi>
    </Link>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label={t("loading")} className="mt-3 flex flex-col gap-4 py-1.5">
      <Skeleton className="h-3.5 w-64 max-w-full" />
      <Skeleton className="h-3.5 w-48" />
      <Skeleton className="h-9" />
    </div>
  );
}
