import { CircleCheck, CircleDashed, CircleSlash, CircleX, Clock } from "lucide-react";
import { Link } from "react-router";
import type { AgentRunResult, AgentTask, AgentTaskRun } from "../../../../../contract/agent-task-records.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { ListState } from "../../../../components/ListSection.tsx";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { formatDateTime, formatDayTime, formatTime } from "../../../../lib/time.ts";
import { useAgentTaskRuns, useCancelAgentTaskRun } from "../../../../queries/agents/agent-tasks.ts";
import { useMembers } from "../../../../queries/members.ts";
import { useCan } from "../../../../queries/permissions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog } from "../../../../ui/Dialog.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { UndoRun } from "../activity/UndoRun.tsx";
import { runStateName } from "./describe-task.ts";

const ICONS = {
  waiting: [Clock, "text-text-3"],
  running: [CircleDashed, "text-info"],
  succeeded: [CircleCheck, "text-ok"],
  failed: [CircleX, "text-danger"],
  canceled: [CircleSlash, "text-text-3"],
} as const;

/** The runs of a task, newest first, with what each did. */
export function RunsDialog({ task, onClose }: { task: AgentTask; onClose(): void }) {
  const list = useAgentTaskRuns(task.id);
  return (
    <Dialog title={t("runsOf", { name: task.name })} onClose={onClose} width="lg" lightDismiss>
      <ListState query={{ ...list, data: list.runs }} rows={3} />
      {list.runs?.length === 0 && <EmptyState title={t("noRuns")} />}
      <ol className="flex flex-col gap-3">
        {list.runs?.map((run) => (
          <RunItem key={run.id} run={run} agentId={task.agent_id} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button className="mt-3" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("older")}
        </Button>
      )}
    </Dialog>
  );
}

function RunItem({ run, agentId }: { run: AgentTaskRun; agentId: number }) {
  const now = useServiceTime();
  const cancel = useCancelAgentTaskRun();
  const canRun = useCan("agent_task.run");
  const canUndo = useCan("agent_action.undo");
  const person = useMembers().data?.find(({ id }) => id === run.started_by_account_id)?.username;
  const [Icon, color] = ICONS[run.state as keyof typeof ICONS] ?? ICONS.waiting;
  const isOver = run.state !== "waiting" && run.state !== "running";
  const when = formatDayTime(run.created_at, now);
  const startedBy =
    person === undefined ? t("startedBySchedule") : run.started_by === "event" ? t("startedByEvent", { name: person }) : t("startedBy", { name: person });
  return (
    <li className="rounded-md border border-line p-3">
      <div className="flex items-start gap-2.5">
        <Icon size={18} aria-hidden className={`mt-px shrink-0 ${color}`} />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{runStateName(run.state)}</p>
          <p className="text-sm text-text-3">
            <time dateTime={run.created_at} title={formatDateTime(run.created_at)}>
              {when}
            </time>
            {" · "}
            {startedBy}
          </p>
          {run.waiting_for && <p className="text-sm text-text-2">{run.waiting_for}</p>}
        </div>
        {canRun && !isOver && (
          <Button size="sm" pending={cancel.isPending} aria-label={t("cancelLabel", { when })} onClick={() => cancel.mutate(run.id)}>
            {t("cancel")}
          </Button>
        )}
      </div>
      {run.log.length > 0 && (
        <ul aria-label={t("log")} className="mt-2 flex flex-col gap-0.5 border-t border-line pt-2 text-sm">
          {run.log.map(({ time, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- entries are only appended
            <li key={index} className="flex gap-2.5">
              <time dateTime={time} className="tabular shrink-0 text-text-3">
                {formatTime(time)}
              </time>
              <span className="min-w-0 wrap-anywhere text-text-2">{text}</span>
            </li>
          ))}
        </ul>
      )}
      {run.results.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {run.results.map((result) => (
            <li key={`${result.type} ${result.id}`}>
              <ResultLink result={result} />
            </li>
          ))}
        </ul>
      )}
      {isOver && run.results.length > 0 && canUndo && <UndoRun agentId={agentId} runId={run.id} when={when} />}
      <ErrorNotice error={cancel.error} className="mt-2" />
    </li>
  );
}

/** Leads to what a run wrote. */
function ResultLink({ result: { type, id, project_id: projectId, file_id: fileId } }: { result: AgentRunResult }) {
  const [to, text] =
    type === "message"
      ? [`/projects/${projectId}/chat/${id}`, t("openMessage")]
      : [fileId === null ? null : `/files/${fileId}`, t(type === "comment" ? "openComment" : type === "task" ? "openTask" : "openFile")];
  if (to === null) return null;
  return (
    <Link to={to} className="text-link hover:underline">
      {text}
    </Link>
  );
}
