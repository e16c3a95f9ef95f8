import { CircleCheck } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { Link } from "react-router";
import type { NotificationKind } from "../../../contract/notification-records.ts";
import type { Task } from "../../../contract/task-records.ts";
import { LoadError } from "../../components/ErrorNotice.tsx";
import { ListState } from "../../components/ListSection.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { InProject } from "../../components/projects/InProject.tsx";
import { TaskRow } from "../../components/tasks/TaskRow.tsx";
import { withRecentlyClosed } from "../../components/tasks/tasks.ts";
import { daysUntil } from "../../lib/days.ts";
import { t } from "../../lib/texts/tasks.ts";
import { useSeenNotifications } from "../../queries/notifications/use-notifications.ts";
import { useProject } from "../../queries/projects.ts";
import { useOwnClosedTasks, useOwnOpenTasks } from "../../queries/tasks/use-tasks.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";

const SECTIONS = ["overdue", "soon", "later", "undated"] as const;
type SectionName = (typeof SECTIONS)[number];

const SOON_DAYS = 7;
/** The notifications of which the view shows the subjects. */
const OWN_TASKS: { kinds: NotificationKind[] } = { kinds: ["task_assigned", "task_due"] };
const TITLES = { overdue: "overdueGroup", soon: "soonGroup", later: "laterGroup", undated: "undatedGroup" } as const satisfies Record<SectionName, string>;

/** Lists the signed-in user's tasks across all projects. */
export function TasksView() {
  const heading = useRef<HTMLHeadingElement>(null);
  const focusAfterRemoval = useFocusAfterRemoval(heading);
  useSeenNotifications(OWN_TASKS);
  const { data: openTasks, error, refetch } = useOwnOpenTasks();
  const [changedTasks, setChangedTasks] = useState<ReadonlyMap<number, Task>>(new Map());
  const [isShowingClosed, setIsShowingClosed] = useState(false);
  const closedQuery = useOwnClosedTasks(isShowingClosed);

  const visibleTasks = openTasks && withRecentlyClosed(openTasks, changedTasks);
  const openCount = visibleTasks?.filter((task) => !task.closed).length ?? 0;
  const recordToggle = (task: Task, isClosed: boolean) => setChangedTasks((previous) => new Map([...previous, [task.id, { ...task, closed: isClosed }]]));
  const renderRow = (task: Task, isLeavingSection = false) => (
    <InProject key={task.id} id={task.project_id}>
      <TaskRow
        task={task}
        showsAssignee={false}
        locationLabel={<TaskLocation key="location" task={task} />}
        onToggle={(_, isClosed) => {
          recordToggle(task, isClosed);
          // The task moves to the open sections, so its focused row disappears.
          if (isLeavingSection) heading.current?.focus();
        }}
        onDeleted={() => {
          setChangedTasks((previous) => new Map([...previous].filter(([id]) => id !== task.id)));
          focusAfterRemoval();
        }}
      />
    </InProject>
  );
  const closedTasks = closedQuery.data?.filter(({ id }) => !visibleTasks?.some((task) => task.id === id));
  return (
    <div className="flex h-full flex-col">
      <PageTitle text={t("pageTitle")} />
      <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-4 tablet:px-5">
        <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold">
          {t("title")}
        </h1>
        <p className="text-text-2">{openCount > 0 && t("openCount", { count: openCount })}</p>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-190 px-4 py-6 tablet:px-6">
          {!visibleTasks && (error ? <LoadError error={error} retry={() => void refetch()} /> : <TasksSkeleton />)}
          {visibleTasks?.length === 0 && (
            <EmptyState icon={<CircleCheck size={22} aria-hidden />} title={t("noOpenTasks")}>
              {t("noOpenTasksHelp")}
            </EmptyState>
          )}
          {visibleTasks &&
            groupBySection(visibleTasks).map(({ name, tasks }) => (
              <TaskSection key={name} title={t(TITLES[name])}>
                {tasks.map((task) => renderRow(task))}
              </TaskSection>
            ))}
          {visibleTasks && !isShowingClosed && (
            <div className="flex justify-center">
              <Button variant="ghost" onClick={() => setIsShowingClosed(true)}>
                {t("showCompleted")}
              </Button>
            </div>
          )}
          {isShowingClosed && (
            <TaskSection title={t("closedGroup")}>
              <ListState query={closedQuery} rows={2} />
              {closedTasks?.length === 0 && <li className="py-2 text-text-2">{t("noCompletedTasks")}</li>}
              {closedTasks?.map((task) => renderRow(task, true))}
            </TaskSection>
          )}
        </div>
      </div>
    </div>
  );
}

function TasksSkeleton() {
  return (
    <div role="status" aria-label={t("loading")} className="px-4">
      <RowsSkeleton rows={4} />
    </div>
  );
}

function TaskLocation({ task }: { task: Task }) {
  const project = useProject(task.project_id).data;
  return (
    <span className="inline-flex min-w-0 max-w-full gap-1.5">
      <Link to={`/files/${task.file_id}`} className="min-w-0 truncate text-link hover:underline">
        <bdi>{task.file_name}</bdi>
      </Link>
      {project && <span className="min-w-0 truncate">· {project.name}</span>}
    </span>
  );
}

/** Renders a list of tasks under a heading. */
function TaskSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-6">
      <h2 id={id} className="mb-1 font-semibold">
        {title}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line px-3 dark:bg-bg/40">{children}</ul>
    </section>
  );
}

function sectionOf({ due_date }: Task, now: Date): SectionName {
  if (due_date === null) return "undated";
  const days = daysUntil(due_date, now);
  return days < 0 ? "overdue" : days <= SOON_DAYS ? "soon" : "later";
}

/** Returns the non-empty sections in order, each sorted by due date and then by creation. */
export function groupBySection(tasks: readonly Task[], now: Date = new Date()): { name: SectionName; tasks: Task[] }[] {
  const sorted = tasks.toSorted((a, b) => (a.due_date ?? "").localeCompare(b.due_date ?? "") || a.id - b.id);
  return SECTIONS.map((name) => ({ name, tasks: sorted.filter((task) => sectionOf(task, now) === name) })).filter((section) => section.tasks.length > 0);
}
