import { useState } from "react";
import { WEBHOOK_EVENT_TYPES } from "../../../../contract/webhook-events.ts";
import { isDay, toDateInput } from "../../../lib/days.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import type { DeliveryFilter } from "../../../queries/webhooks/delivery-filter.ts";
import { Select } from "../../../ui/Select.tsx";

const TYPES = [[null, t("allTypesFilter")], ...WEBHOOK_EVENT_TYPES.map((type) => [type, type] as const)] as const;
const STATES = [
  [null, t("allStates")],
  ["pending", t("waitingState")],
  ["delivered", t("delivered")],
  ["failed", t("failed")],
  ["held", t("held")],
] as const;
const ON_DAY = "day";
const TIMES = [
  [null, t("anyTime")],
  ["1h", t("lastHour")],
  ["24h", t("last24")],
  ["7d", t("last7")],
  [ON_DAY, t("onDay")],
] as const;

interface Props {
  filter: DeliveryFilter;
  /** Sets a search parameter of the URL, or removes it if `value` is null. */
  onChange(name: "type" | "state" | "time", value: string | null): void;
}

export function DeliveryFilters({ filter, onChange }: Props) {
  const [today] = useState(() => toDateInput(new Date()));
  const day = isDay(filter.time) ? filter.time : null;
  return (
    <div className="flex flex-wrap gap-1.5">
      <Select compact label={t("filterType")} value={filter.type} options={TYPES} onChange={(type) => onChange("type", type)} />
      <Select compact label={t("filterState")} value={filter.state} options={STATES} onChange={(state) => onChange("state", state)} />
      <Select<string | null>
        compact
        label={t("filterTime")}
        value={day ? ON_DAY : filter.time}
        options={TIMES}
        onChange={(time) => onChange("time", time === ON_DAY ? today : time)}
      />
      {day && (
        <input
          type="date"
          aria-label={t("day")}
          required
          max={today}
          value={day}
          onChange={(event) => event.target.value !== "" && onChange("time", event.target.value)}
          className="h-8 rounded-md border border-field-line bg-bg px-2"
        />
      )}
    </div>
  );
}
