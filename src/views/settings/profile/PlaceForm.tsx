import { useState } from "react";
import type { WorkingHours } from "../../../../contract/account-profile.ts";
import { updateAccount } from "../../../../contract/operations/accounts.ts";
import type { Account } from "../../../../contract/records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { Form, SubmitButton } from "../../../components/Form.tsx";
import { useRecordForm } from "../../../components/use-record-form.ts";
import { browserTimeZone } from "../../../lib/locale.ts";
import { t } from "../../../lib/texts/profile.ts";
import { useUpdateAccount } from "../../../queries/account.ts";
import { useSession } from "../../../queries/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { CheckField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { localeOptions, timeZoneOptions, zoneLabel } from "./regions.ts";
import { WorkingHoursFields } from "./WorkingHoursFields.tsx";

const DEFAULT_HOURS: WorkingHours = { days: [1, 2, 3, 4, 5], start: "09:00", end: "18:00" };

interface Place {
  time_zone: string | null;
  locale: string | null;
  working_hours: WorkingHours | null;
}

/** Edits the user's time zone, the format of dates and numbers, and the working hours. */
export function PlaceForm() {
  const { account } = useSession();
  const { time_zone = null, locale = null, working_hours = null } = account;
  const form = useRecordForm<Place, Account>(useUpdateAccount(), updateAccount.body, { time_zone, locale, working_hours });
  const { values } = form;
  const now = useServiceTime();
  const [zones] = useState(() => timeZoneOptions(time_zone, now));
  const [locales] = useState(() => localeOptions(locale, now));
  const ownZone = browserTimeZone();
  const hasZone = values.time_zone !== null;
  return (
    <Form form={form} body={form.changes} onDone={form.onSaved} className="flex flex-col gap-4 py-4">
      <div className="grid items-start gap-4 tablet:grid-cols-2">
        <div className="min-w-0">
          <Select {...form.field("time_zone", t("timeZone"))} options={zones} />
          {values.time_zone !== ownZone && (
            <Button variant="text" size="sm" className="mt-1 -ml-2.5 max-w-full" onClick={() => form.setValues({ time_zone: ownZone })}>
              <span className="truncate">{t("useBrowserZone", { zone: zoneLabel(ownZone, now) })}</span>
            </Button>
          )}
        </div>
        <Select {...form.field("locale", t("format"))} options={locales} />
      </div>
      <CheckField
        label={t("hours")}
        hint={t(hasZone ? "hoursHint" : "hoursNeedZone")}
        checked={values.working_hours !== null}
        disabled={!hasZone && values.working_hours === null}
        onChange={(isChecked) => form.setValues({ working_hours: isChecked ? DEFAULT_HOURS : null })}
      />
      {values.working_hours && (
        <WorkingHoursFields
          value={values.working_hours}
          error={form.errorOf("working_hours", t("hours"))}
          onChange={(hours) => form.setValues({ working_hours: hours })}
        />
      )}
      <div className="flex items-center gap-3">
        <SubmitButton form={form}>{t("savePlace")}</SubmitButton>
        <span role="status" className="text-ok">
          {form.isSaved ? t("saved") : ""}
        </span>
      </div>
    </Form>
  );
}
