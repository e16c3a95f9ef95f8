import { useState, type FormEvent } from "react";
import { RECOVERY_DAYS } from "../../../../contract/limits.ts";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { parseDateTimeInput, toDateTimeInput } from "../../../lib/days.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/webhooks.ts";
import { useRecover } from "../../../queries/webhooks/use-webhooks.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_AGE_MS = RECOVERY_DAYS * DAY_MS;

/** Time spans that end now, in milliseconds. */
const PRESETS = [
  ["recoverHour", HOUR_MS],
  ["recoverDay", DAY_MS],
  ["recoverWeek", 7 * DAY_MS],
  ["recoverAll", MAX_AGE_MS],
] as const;

/** Recovers the deliveries that failed or were held since a chosen time. */
export function RecoverDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const recover = useRecover(endpoint.id);
  const [openedAt] = useState(Date.now);
  const [since, setSince] = useState(() => toDateTimeInput(new Date(recoveryStart(endpoint, openedAt))));
  const sinceMs = parseDateTimeInput(since);

  /** Another time is another recovery: the dialog offers it again. */
  function change(value: string) {
    setSince(value);
    if (recover.data) recover.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // The picker has whole minutes, so the earliest choice may be a few seconds too early.
    if (sinceMs !== null && !recover.isPending) recover.mutate(new Date(Math.max(sinceMs, earliestRecovery(Date.now()))).toISOString());
  }

  return (
    <Dialog title={t("recoverTitle")} description={t("recoverHelp")} onClose={onClose}>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <ErrorNotice error={recover.error} />
        {recover.data && <Notice tone={recover.data.count > 0 ? "ok" : "info"}>{formatResult(recover.data.count)}</Notice>}
        {!endpoint.enabled && <Notice tone="info">{t("recoverPaused")}</Notice>}
        <TextField
          label={t("recoverFrom")}
          hint={t("recoverHint")}
          type="datetime-local"
          required
          min={toDateTimeInput(new Date(earliestRecovery(openedAt)))}
          max={toDateTimeInput(new Date(openedAt))}
          value={since}
          onChange={change}
        />
        <div className="flex flex-wrap gap-1.5">
          {PRESETS.map(([name, spanMs]) => (
            <Button key={name} size="sm" onClick={() => change(toDateTimeInput(new Date(openedAt - spanMs)))}>
              {t(name)}
            </Button>
          ))}
        </div>
        <DialogActions>
          {recover.data ? (
            <Button variant="primary" autoFocus onClick={onClose}>
              {tCommon("done")}
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>{tCommon("cancel")}</Button>
              <Button type="submit" variant="primary" disabled={sinceMs === null || !endpoint.enabled} pending={recover.isPending}>
                {t("recoverConfirm")}
              </Button>
            </>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

const formatResult = (count: number) => (count === 0 ? t("recoverNone") : t("recovered", { count }));

/** Returns the earliest time the service accepts, plus a minute because its clock may differ. */
export const earliestRecovery = (now: number) => now - MAX_AGE_MS + 60_000;

/** Returns when the failures or the pause began, if known, else a day ago. */
export function recoveryStart({ failing_since, disabled_at, held_count }: WebhookEndpoint, now: number): number {
  const failureTimes = [failing_since, disabled_at].filter((at) => at !== null).map((at) => new Date(at).getTime());
  // A resumed endpoint no longer has the start of its pause, so held events are recovered from as far back as possible.
  const from = failureTimes.length > 0 ? Math.min(...failureTimes) : now - (held_count > 0 ? MAX_AGE_MS : DAY_MS);
  // The picker has whole minutes; rounding down includes the first failure.
  return Math.max(Math.floor(from / 60_000) * 60_000, earliestRecovery(now));
}
