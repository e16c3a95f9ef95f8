import { useState } from "react";
import { dayOf, startOfDay } from "../model/day-choice.ts";
import { t } from "../../../lib/messages/chat-actions.ts";
import { explain, isMissing } from "../../../queries/problems.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";

interface Props {
  /** The day that is shown first. */
  at: string;
  /** Finds the first message since then. */
  find(since: Date): Promise<{ id: number }>;
  onFound(messageId: number): void;
  onClose(): void;
}

/** Asks for a day and leads to its first message. */
export function DayDialog({ at, find, onFound, onClose }: Props) {
  const [today] = useState(() => dayOf(new Date()));
  const [day, setDay] = useState(() => dayOf(new Date(at)));
  const [fault, setFault] = useState<string | undefined>();
  const [pending, setPending] = useState(false);
  const since = startOfDay(day);

  const go = async () => {
    if (!since || pending) return;
    setPending(true);
    try {
      const { id } = await find(since);
      onClose();
      onFound(id);
    } catch (error) {
      setFault(isMissing(error) ? t("dayNone") : explain(error).title);
      setPending(false);
    }
  };

  return (
    <Dialog title={t("dayTitle")} closeLabel={t("dayClose")} onClose={onClose} width="sm" lightDismiss>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void go();
        }}
      >
        <TextField
          type="date"
          label={t("dayLabel")}
          autoFocus
          required
          value={day}
          max={today}
          error={fault}
          onChange={(event) => {
            setDay(event.target.value);
            setFault(undefined);
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("dayClose")}</Button>
          <Button type="submit" look="primary" pending={pending} disabled={!since}>
            {t("dayGo")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
