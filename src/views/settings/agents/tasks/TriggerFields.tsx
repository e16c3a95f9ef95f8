import type { AgentTaskTrigger } from "../../../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import type { FileStatus } from "../../../../../contract/records.ts";
import { useState } from "react";
import { t, WEEKDAYS } from "../../../../lib/texts/agent-tasks.ts";
import { CheckField, FieldGroup, TextField } from "../../../../ui/Field.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { FILE_KINDS } from "./describe-task.ts";
import { parseCron, toCron, type WeeklySchedule } from "./schedule.ts";

type Trigger<T extends AgentTaskTrigger["type"]> = Extract<AgentTaskTrigger, { type: T }>;
interface TriggerFieldsProps<T extends AgentTaskTrigger = AgentTaskTrigger> {
  trigger: T;
  statuses: readonly FileStatus[];
  errorOf(path: string, label: string): string | undefined;
  onChange(trigger: AgentTaskTrigger): void;
}

const TYPES = [
  ["event", t("triggerEvent")],
  ["schedule", t("triggerSchedule")],
  ["at", t("triggerAt")],
  ["manual", t("triggerManual")],
] as const;
const EVENTS = [
  ["file.status_changed", t("eventStatus")],
  ["file.uploaded", t("eventUploaded")],
  ["file.version_added", t("eventVersion")],
] as const;
const DEFAULT_CRON = toCron({ days: [1, 2, 3, 4, 5], time: "09:00" });
const timeZones = () => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted();
};

function newTrigger(type: AgentTaskTrigger["type"]): AgentTaskTrigger {
  switch (type) {
    case "event":
      return { type, event: "file.status_changed", status_id: null, file_kind: null, name_pattern: null };
    case "schedule":
      return { type, cron: DEFAULT_CRON, time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone };
    case "at":
      return { type, time: new Date(Math.ceil(Date.now() / 3_600_000 + 1) * 3_600_000).toISOString() };
    default:
      return { type };
  }
}

/** What starts a task. */
export function TriggerFields({ trigger, ...rest }: TriggerFieldsProps) {
  const { errorOf, onChange } = rest;
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t("trigger")}
        value={trigger.type}
        options={TYPES}
        onChange={(type) => onChange(newTrigger(type))}
        error={errorOf("trigger.type", t("trigger"))}
      />
      {trigger.type === "event" && <EventFields trigger={trigger} {...rest} />}
      {trigger.type === "schedule" && <ScheduleFields trigger={trigger} {...rest} />}
      {trigger.type === "at" && (
        <TextField
          label={t("time")}
          type="datetime-local"
          value={toLocalInput(trigger.time)}
          onChange={(value) => onChange({ type: "at", time: fromLocalInput(value) })}
          error={errorOf("trigger.time", t("time"))}
        />
      )}
    </div>
  );
}

function EventFields({ trigger, statuses, errorOf, onChange }: TriggerFieldsProps<Trigger<"event">>) {
  const { event, status_id: statusId = null, file_kind: kind = null, name_pattern: pattern } = trigger;
  return (
    <div className="grid gap-3 tablet:grid-cols-2">
      <Select
        label={t("event")}
        value={event}
        options={EVENTS}
        onChange={(next) => onChange({ ...trigger, event: next, status_id: next === "file.status_changed" ? statusId : null })}
      />
      {event === "file.status_changed" && (
        <Select
          label={t("status")}
          value={statusId}
          options={[[null, t("anyStatus")], ...statuses.map(({ id, title }) => [id, title] as const)]}
          onChange={(id) => onChange({ ...trigger, status_id: id })}
          error={errorOf("trigger.status_id", t("status"))}
        />
      )}
      <Select
        label={t("kind")}
        value={kind}
        options={[[null, t("anyKind")], ...FILE_KINDS.map((one) => [one, t(one)] as const)]}
        onChange={(next) => onChange({ ...trigger, file_kind: next })}
      />
      <TextField
        label={t("pattern")}
        value={pattern ?? ""}
        hint={t("patternHint")}
        autoComplete="off"
        maxLength={LIMITS.name_pattern_characters}
        onChange={(value) => onChange({ ...trigger, name_pattern: value === "" ? null : value })}
        error={errorOf("trigger.name_pattern", t("pattern"))}
      />
    </div>
  );
}

function ScheduleFields({ trigger, errorOf, onChange }: TriggerFieldsProps<Trigger<"schedule">>) {
  const { cron, time_zone: timeZone } = trigger;
  const weekly = parseCron(cron);
  const [isCustom, setIsCustom] = useState(weekly === null);
  const setWeekly = (schedule: WeeklySchedule) => onChange({ ...trigger, cron: toCron(schedule) });
  const toggleCustom = (isNowCustom: boolean) => {
    if (!isNowCustom && weekly === null) onChange({ ...trigger, cron: DEFAULT_CRON });
    setIsCustom(isNowCustom);
  };
  return (
    <div className="flex flex-col gap-3">
      {isCustom || weekly === null ? (
        <TextField
          label={t("cronField")}
          value={cron}
          hint={t("cronHint")}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          maxLength={LIMITS.cron_characters}
          onChange={(value) => onChange({ ...trigger, cron: value })}
          error={errorOf("trigger.cron", t("cronField"))}
        />
      ) : (
        <>
          <FieldGroup label={t("days")} error={errorOf("trigger.cron", t("days"))}>
            <div className="flex flex-wrap gap-x-4 gap-y-1">
              {WEEKDAYS.map((name, index) => {
                const day = index + 1;
                const isChecked = weekly.days.includes(day);
                const next = isChecked ? weekly.days.filter((other) => other !== day) : [...weekly.days, day];
                // The last day stays, because a schedule without days never runs.
                return (
                  <CheckField
                    key={name}
                    label={name}
                    checked={isChecked}
                    disabled={isChecked && weekly.days.length === 1}
                    onChange={() => setWeekly({ ...weekly, days: next })}
                  />
                );
              })}
            </div>
          </FieldGroup>
          <TextField label={t("time")} type="time" value={weekly.time} required onChange={(time) => time !== "" && setWeekly({ ...weekly, time })} />
        </>
      )}
      <Select
        label={t("timeZone")}
        value={timeZone}
        options={timeZones().map((zone) => [zone, zone.replaceAll("_", " ")])}
        onChange={(zone) => onChange({ ...trigger, time_zone: zone })}
        error={errorOf("trigger.time_zone", t("timeZone"))}
      />
      <CheckField label={t("custom")} checked={isCustom} onChange={toggleCustom} />
    </div>
  );
}

/** Returns a time as the value of a `datetime-local` field, in the browser's time zone; "" for a time that is none. */
function toLocalInput(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
/** Returns "" for a field without a complete time, which the form refuses. */
function fromLocalInput(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
