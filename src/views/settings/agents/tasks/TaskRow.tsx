import { Ellipsis, History, Pause, Pencil, Play, Trash2 } from "lucide-react";
import type { AgentTask } from "../../../../../contract/agent-task-records.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { formatDayTime, formatRelativeTime } from "../../../../lib/time.ts";
import { useRunAgentTask, useUpdateAgentTask } from "../../../../queries/agents/agent-tasks.ts";
import { useCan } from "../../../../queries/permissions.ts";
import { useProject } from "../../../../queries/projects.ts";
import { useStatuses } from "../../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { iconButtonClasses } from "../../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../../ui/Menu.tsx";
import { StateMark } from "../../../../ui/StateMark.tsx";
import { describeTrigger, runStateName, triggerOf } from "./describe-task.ts";

interface TaskRowProps {
  task: AgentTask;
  canManage: boolean;
  onOpen(dialog: "edit" | "delete" | "runs" | "run"): void;
}

/** Returns whether a run needs something that the task does not have: a file, or a question. */
const needsMore = ({ action, steps, result, prompt, file_id: fileId }: AgentTask): boolean =>
  (action === "answer" && prompt === null) ||
  (fileId === null && (action === "check_delivery" || (action !== "rule" && result === "comment") || steps.some(({ type }) => type !== "post_message")));

export function TaskRow({ task, canManage, onOpen }: TaskRowProps) {
  const now = useServiceTime();
  const project = useProject(task.project_id).data;
  const statuses = useStatuses(project?.team_id ?? 0, project !== undefined).data ?? [];
  const update = useUpdateAgentTask();
  const run = useRunAgentTask();
  const canRun = useCan("agent_task.run");
  const { name, state, next_run_at: nextRun, last_run: lastRun } = task;
  const isPaused = state === "paused";
  const start = () => (needsMore(task) ? onOpen("run") : run.mutate({ id: task.id }, { onSuccess: () => announce(t("started", { name })) }));
  const togglePause = () =>
    update.mutate({ id: task.id, state: isPaused ? "active" : "paused" }, { onSuccess: () => announce(t(isPaused ? "isResumed" : "isPaused", { name })) });
  const facts = [
    ...(project ? [project.name] : []),
    ...(nextRun === null ? [] : [t("nextRun", { when: formatDayTime(nextRun, now) })]),
    lastRun ? t("lastRun", { state: runStateName(lastRun.state), when: formatRelativeTime(lastRun.finished_at ?? lastRun.created_at, now) }) : t("neverRan"),
  ];
  return (
    <li className="-mx-4 border-b border-line px-4 last:border-0">
      <div className="flex items-center gap-3 py-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium wrap-anywhere">{name}</span>
            {state !== "active" && <StateMark>{t(isPaused ? "paused" : "done")}</StateMark>}
            {lastRun?.state === "failed" && <StateMark tone="danger">{t("failed")}</StateMark>}
          </p>
          <p className="text-sm wrap-anywhere text-text-2">{describeTrigger(triggerOf(task), now, statuses)}</p>
          <p className="text-sm wrap-anywhere text-text-3">{facts.join(" · ")}</p>
        </div>
        <Button size="sm" icon={History} aria-label={t("runsOf", { name })} onClick={() => onOpen("runs")}>
          {t("runs")}
        </Button>
        {canRun && (
          <Menu label={t("more", { name })} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
            <MenuItem icon={<Play size={16} aria-hidden />} onSelect={start}>
              {t("run")}
            </MenuItem>
            {canManage && (
              <>
                <MenuItem icon={<Pencil size={16} aria-hidden />} onSelect={() => onOpen("edit")}>
                  {t("edit")}
                </MenuItem>
                {state !== "done" && (
                  <MenuItem icon={isPaused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />} onSelect={togglePause}>
                    {t(isPaused ? "resume" : "pause")}
                  </MenuItem>
                )}
                <MenuItem icon={<Trash2 size={16} aria-hidden />} danger onSelect={() => onOpen("delete")}>
                  {t("delete")}
                </MenuItem>
              </>
            )}
          </Menu>
        )}
      </div>
      <ErrorNotice error={update.error ?? run.error} className="mb-3" />
    </li>
  );
}
