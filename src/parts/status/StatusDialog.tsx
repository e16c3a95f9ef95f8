import { useEffect, useRef, useState, type FormEvent } from "react";
import { t } from "../../lib/messages/status.ts";
import type { ChosenFile } from "../../queries/statuses/choices.ts";
import { useStatuses } from "../../queries/statuses/use-statuses.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { TextArea } from "../../ui/Field.tsx";
import { RowsSkeleton } from "../../ui/RowsSkeleton.tsx";
import { StatusBadge } from "./StatusBadge.tsx";
import { useChoose } from "./use-choose.ts";

const NOTE_CHARACTERS = 2_000;

interface Props {
  teamId: number;
  files: readonly ChosenFile[];
  /** The note is what one came for: it has the focus. */
  withNote?: boolean;
  onClose(): void;
}

/** A status with a note, for one file or several. What is set here can be taken back like any other. */
export function StatusDialog({ teamId, files, withNote = false, onClose }: Props) {
  const choose = useChoose(teamId);
  const { data: statuses } = useStatuses(teamId, true);
  const same = files.every(({ before }) => before?.id === files[0]?.before?.id) ? files[0]?.before?.id : undefined;
  const [chosen, setChosen] = useState<number | undefined>(same);
  const [note, setNote] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (withNote) form.current?.querySelector("textarea")?.focus();
  }, [withNote]);
  const status = statuses?.find(({ id }) => id === chosen);
  const tooLong = note.trim().length > NOTE_CHARACTERS;
  // The service records no change that is none.
  const ready = status !== undefined && files.some(({ before }) => before?.id !== status.id) && !tooLong;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    onClose();
    choose(files, status, note.trim());
  }
  return (
    <Dialog
      title={t("title", { count: files.length, name: files[0]?.name ?? "" })}
      closeLabel={t("close")}
      onClose={onClose}
      width="sm"
      lightDismiss={note === ""}
    >
      <form ref={form} onSubmit={submit}>
        {!statuses && <RowsSkeleton rows={4} />}
        {statuses?.length === 0 && <p className="text-text-2">{t("empty")}</p>}
        <div role="radiogroup" aria-label={t("status")} className="mb-4 flex flex-col">
          {statuses?.map((one) => (
            <label key={one.id} className="flex min-h-9 items-center gap-2.5 rounded-sm px-2 hover:bg-hover">
              <input type="radio" name="status" checked={one.id === chosen} onChange={() => setChosen(one.id)} className="size-4 accent-accent" />
              <StatusBadge status={one} />
            </label>
          ))}
        </div>
        <TextArea
          label={t("note")}
          hint={t("noteHint")}
          rows={3}
          value={note}
          onChange={({ target }) => setNote(target.value)}
          error={tooLong ? t("noteTooLong", { count: NOTE_CHARACTERS }) : undefined}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="primary" disabled={!ready}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
