/** The trigger and the state of a task in words. */
import { AGENT_RUN_STATES, type AgentRunState, type AgentTask, type AgentTaskTrigger } from "../../../../../contract/agent-task-records.ts";
import type { FileStatus } from "../../../../../contract/records.ts";
import { t, WEEKDAYS } from "../../../../lib/texts/agent-tasks.ts";
import { formatDayTime } from "../../../../lib/time.ts";
import { parseCron } from "./schedule.ts";

export const FILE_KINDS = ["audio", "video", "image", "document"] as const;

/** The trigger of a task as the form and the list use it. A service of a newer version may send others. */
export const triggerOf = ({ trigger }: AgentTask): AgentTaskTrigger => trigger as unknown as AgentTaskTrigger;

function describeDays(days: readonly number[]): string {
  if (days.length === 7) return t("everyDay");
  if (days.join() === "1,2,3,4,5") return t("weekdays");
  return days.map((day) => WEEKDAYS[day - 1]).join(", ");
}

/** Returns when a task runs. `statuses`: those of its project's team. */
export function describeTrigger(trigger: AgentTaskTrigger, now: number, statuses: readonly FileStatus[]): string {
  switch (trigger.type) {
    case "at":
      return t("at", { when: formatDayTime(trigger.time, now) });
    case "schedule": {
      const weekly = parseCron(trigger.cron);
      const when = weekly ? t("weekly", { days: describeDays(weekly.days), time: weekly.time }) : t("cron", { cron: trigger.cron });
      return t("inZone", { when, zone: trigger.time_zone });
    }
    case "event": {
      const { event, status_id: statusId, file_kind: kind, name_pattern: pattern } = trigger;
      const status = statuses.find(({ id }) => id === statusId);
      const texts = { "file.uploaded": t("uploaded"), "file.version_added": t("versionAdded"), "file.status_changed": t("statusChanged") };
      let text = status ? t("statusBecomes", { status: status.title }) : texts[event];
      if (kind) text = t("onlyKind", { trigger: text, kind: t(kind) });
      return pattern ? t("onlyName", { trigger: text, pattern }) : text;
    }
    default:
      return t("byHand");
  }
}

/** Returns the name of a run's state; the value itself for one that this client does not know. */
export const runStateName = (state: string): string => {
  const known = AGENT_RUN_STATES.find((one): one is AgentRunState => one === state);
  return known ? t(known) : state;
};
