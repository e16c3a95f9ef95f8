import { useState } from "react";
import type { NotificationSettings } from "../../../../contract/notification-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { ListSection } from "../../../components/ListSection.tsx";
import { parseDateTimeInput, toDateInput } from "../../../lib/days.ts";
import { t } from "../../../lib/texts/notifications.ts";
import { formatDayTime } from "../../../lib/time.ts";
import { useSession } from "../../../queries/session.ts";
import { Button, buttonClasses } from "../../../ui/Button.tsx";
import { CheckField, TextField } from "../../../ui/Field.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useChangeSettings } from "./use-change-settings.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What do not disturb starts with. */
const NIGHT = { start: "20:00", end: "08:00" };
const PAUSES = [
  [30, "pause30"],
  [60, "pause60"],
  [240, "pause240"],
] as const;

/** Pauses push messages and emails, now or every day. */
export function QuietTimes({ settings }: { settings: NotificationSettings }) {
  const change = useChangeSettings();
  return (
    <ListSection title={t("quietTitle")} lead={t("quietLead")}>
      <Pause settings={settings} onChange={(until) => change({ paused_until: until })} />
      <DoNotDisturb settings={settings} onChange={(interval, onSettled) => change({ do_not_disturb: interval }, { onSettled })} />
    </ListSection>
  );
}

function Pause({ settings: { paused_until }, onChange }: { settings: NotificationSettings; onChange(until: string | null): void }) {
  const now = useServiceTime();
  const isPaused = paused_until !== null && Date.parse(paused_until) > now;
  const pauseUntil = (time: number) => onChange(new Date(time).toISOString());
  const tomorrow = parseDateTimeInput(`${toDateInput(new Date(now + DAY_MS))}T08:00`);
  return (
    <div className="flex min-h-14 flex-wrap items-center justify-between gap-2 border-b border-line py-2">
      <p className="font-medium" role="status">
        {isPaused ? t("pausedUntil", { time: formatDayTime(paused_until, now) }) : t("pause")}
      </p>
      {isPaused ? (
        <Button onClick={() => onChange(null)}>{t("resume")}</Button>
      ) : (
        <Menu label={t("pauseFor")} trigger={t("pauseFor")} triggerClassName={buttonClasses()} align="end">
          {PAUSES.map(([minutes, label]) => (
            <MenuItem key={label} onSelect={() => pauseUntil(now + minutes * MINUTE_MS)}>
              {t(label)}
            </MenuItem>
          ))}
          {tomorrow !== null && <MenuItem onSelect={() => pauseUntil(tomorrow)}>{t("pauseTomorrow")}</MenuItem>}
        </Menu>
      )}
    </div>
  );
}

type Interval = { start: string; end: string };

interface DoNotDisturbProps {
  settings: NotificationSettings;
  /** `onSettled` is called once the change is saved or refused, unless another one follows before. */
  onChange(interval: Interval | null, onSettled: () => void): void;
}

function DoNotDisturb({ settings: { do_not_disturb: stored }, onChange }: DoNotDisturbProps) {
  const { account } = useSession();
  const [draft, setDraft] = useState<Partial<Interval>>({});
  const interval = { ...(stored ?? NIGHT), ...draft };
  const isOn = stored !== null;
  const forget = () => setDraft({});
  const change = (part: Partial<Interval>) => {
    setDraft({ ...draft, ...part });
    const next = { ...interval, ...part };
    // A time that is being typed is empty until it is complete.
    if (next.start !== "" && next.end !== "" && next.start !== next.end) onChange(next, forget);
  };
  return (
    <div className="py-3">
      <CheckField label={t("doNotDisturb")} checked={isOn} onChange={(isChecked) => onChange(isChecked ? NIGHT : null, forget)} />
      {isOn && (
        <div className="mt-3 flex flex-wrap items-end gap-3 pl-6.5">
          <TextField label={t("from")} type="time" required value={interval.start} onChange={(start) => change({ start })} />
          <TextField
            label={t("until")}
            type="time"
            required
            value={interval.end}
            error={interval.start === interval.end ? t("sameTimes") : undefined}
            onChange={(end) => change({ end })}
          />
          {typeof account.time_zone === "string" && (
            <p className="pb-2 text-sm text-text-3">{t("inTimeZone", { zone: account.time_zone.replaceAll("_", " ") })}</p>
          )}
        </div>
      )}
    </div>
  );
}
