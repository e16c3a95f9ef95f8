import { useState } from "react";
import { WEBHOOK_EVENT_TYPES } from "../../../../contract/webhook-events.ts";
import { isDay, toDateInput } from "../../../lib/days.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import type { DeliveryFilter } from "../../../queries/webhooks/delivery-filter.ts";
import { Select } from "../../../ui/Field.tsx";

const STATES = [
  ["pending", "waitingState"],
  ["delivered", "delivered"],
  ["failed", "failed"],
  ["held", "held"],
] as const;
const TIMES = [
  ["1h", "lastHour"],
  ["24h", "last24"],
  ["7d", "last7"],
] as const;
const ON_DAY = "day";

interface Props {
  filter: DeliveryFilter;
  /** Sets a search parameter of the URL, or removes it if `value` is null. */
  onChange(name: "type" | "state" | "time", value: string | null): void;
}

export function DeliveryFilters({ filter, onChange }: Props) {
  const setParam = (name: "type" | "state" | "time", value: string) => onChange(name, value === "" ? null : value);
  const [today] = useState(() => toDateInput(new Date()));
  const day = isDay(filter.time) ? filter.time : null;
  return (
    <div className="flex flex-wrap gap-1.5">
      <Select compact aria-label={t("filterType")} value={filter.type ?? ""} onChange={(event) => setParam("type", event.target.value)}>
        <option value="">{t("allTypesFilter")}</option>
        {WEBHOOK_EVENT_TYPES.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </Select>
      <Select compact aria-label={t("filterState")} value={filter.state ?? ""} onChange={(event) => setParam("state", event.target.value)}>
        <option value="">{t("allStates")}</option>
        {STATES.map(([state, name]) => (
          <option key={state} value={state}>
            {t(name)}
          </option>
        ))}
      </Select>
      <Select
        compact
        aria-label={t("filterTime")}
        value={day ? ON_DAY : (filter.time ?? "")}
        onChange={(event) => setParam("time", event.target.value === ON_DAY ? today : event.target.value)}
      >
        <option value="">{t("anyTime")}</option>
        {TIMES.map(([span, name]) => (
          <option key={span} value={span}>
            {t(name)}
          </option>
        ))}
        <option value={ON_DAY}>{t("onDay")}</option>
      </Select>
      {day && (
        <input
          type="date"
          aria-label={t("day")}
          required
          max={today}
          value={day}
          onChange={(event) => event.target.value !== "" && setParam("time", event.target.value)}
          className="h-8 rounded-md border border-field-line bg-bg px-2"
        />
      )}
    </div>
  );
}
