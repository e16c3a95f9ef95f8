import { useRef, useState } from "react";
import { startOfDay, toDateInput } from "../../../lib/days.ts";
import { t } from "../../../lib/texts/chat-actions.ts";
import { describeError, isInaccessible } from "../../../queries/describe-error.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";

interface Props {
  /** The preselected day. */
  initialDate: string;
  /** Resolves to the first message at or after `since`; rejects with status 404 if there is none. */
  find(since: Date): Promise<{ id: number }>;
  onFound(messageId: number): void;
  onClose(): void;
}

/** Asks for a day and jumps to its first message. */
export function DayDialog({ initialDate, find, onFound, onClose }: Props) {
  const [today] = useState(() => toDateInput(new Date()));
  const [day, setDay] = useState(() => toDateInput(new Date(initialDate)));
  const [errorMessage, setErrorMessage] = useState<string | undefined>();
  const [isPending, setIsPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const since = startOfDay(day);

  const goToDay = async () => {
    if (!since || isPending) return;
    setIsPending(true);
    try {
      const { id } = await find(since);
      // The user closed the dialog during the request.
      if (!form.current) return;
      onClose();
      onFound(id);
    } catch (error) {
      setErrorMessage(isInaccessible(error) ? t("dayNone") : describeError(error).title);
      setIsPending(false);
    }
  };

  return (
    <Dialog title={t("dayTitle")} onClose={onClose} width="sm" lightDismiss>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void goToDay();
        }}
      >
        <TextField
          type="date"
          label={t("dayLabel")}
          autoFocus
          required
          value={day}
          max={today}
          error={errorMessage}
          onChange={(input) => {
            setDay(input);
            setErrorMessage(undefined);
          }}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("dayClose")}</Button>
          <Button type="submit" variant="primary" pending={isPending} disabled={!since}>
            {t("dayGo")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
