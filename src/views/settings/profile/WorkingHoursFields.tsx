import type { WorkingHours } from "../../../../contract/account-profile.ts";
import { weekdayName } from "../../../components/people/local-time.ts";
import { t } from "../../../lib/texts/profile.ts";
import { FieldGroup, TextField } from "../../../ui/Field.tsx";

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

interface Props {
  value: WorkingHours;
  error: string | undefined;
  onChange(hours: WorkingHours): void;
}

/** Edits the days of work, and when it begins and ends on each. */
export function WorkingHoursFields({ value, error, onChange }: Props) {
  const { days, start, end } = value;
  const toggle = (day: number) =>
    onChange({ ...value, days: days.includes(day) ? days.filter((other) => other !== day) : [...days, day].toSorted((a, b) => a - b) });
  return (
    <FieldGroup label={t("days")} error={error}>
      <div className="mb-3 flex flex-wrap gap-1.5">
        {DAYS.map((day) => (
          <label
            key={day}
            className="relative flex h-8 min-w-12 cursor-pointer items-center justify-center rounded-md border border-field-line px-2.5 text-sm text-text-2 select-none hover:bg-hover has-checked:border-accent-text has-checked:bg-accent-soft has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
          >
            <input
              type="checkbox"
              aria-label={weekdayName(day, "long")}
              checked={days.includes(day)}
              onChange={() => toggle(day)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span aria-hidden>{weekdayName(day, "short")}</span>
          </label>
        ))}
      </div>
      <div className="flex items-start gap-3">
        <TextField label={t("start")} type="time" required value={start} onChange={(next) => onChange({ ...value, start: next })} className="w-36" />
        <TextField
          label={t("end")}
          type="time"
          required
          value={end}
          hint={end < start ? t("overnight") : undefined}
          onChange={(next) => onChange({ ...value, end: next })}
          className="w-36"
        />
      </div>
    </FieldGroup>
  );
}
