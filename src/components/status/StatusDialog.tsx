import { useEffect, useRef, useState, type FormEvent } from "react";
import { t as tCommon } from "../../lib/texts/common.ts";
import { t } from "../../lib/texts/status.ts";
import { useStatuses } from "../../queries/statuses/use-statuses.ts";
import type { StatusChangeFile } from "../../sync/statuses/pending-status-changes.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { TextArea } from "../../ui/Field.tsx";
import { RowsSkeleton } from "../../ui/Skeleton.tsx";
import { useChangeStatus } from "./status-change.tsx";
import { StatusBadge } from "./StatusBadge.tsx";

const MAX_NOTE_LENGTH = 2_000;

interface Props {
  teamId: number;
  files: readonly StatusChangeFile[];
  /** True if the dialog was opened to add a note. */
  shouldFocusNote?: boolean;
  onClose(): void;
}

/** Sets a status with a note for one or several files; the change can be undone like any other. */
export function StatusDialog({ teamId, files, shouldFocusNote = false, onClose }: Props) {
  const changeStatus = useChangeStatus(teamId);
  const { data: statuses } = useStatuses(teamId, true);
  const commonStatusId = files.every(({ before }) => before?.id === files[0]?.before?.id) ? files[0]?.before?.id : undefined;
  const [selectedId, setSelectedId] = useState<number | undefined>(commonStatusId);
  const [note, setNote] = useState("");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (shouldFocusNote) form.current?.querySelector("textarea")?.focus();
  }, [shouldFocusNote]);
  const status = statuses?.find(({ id }) => id === selectedId);
  const tooLong = note.trim().length > MAX_NOTE_LENGTH;
  // The service does not record a change to the same status.
  const canSubmit = status !== undefined && files.some(({ before }) => before?.id !== status.id) && !tooLong;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!canSubmit) return;
    onClose();
    changeStatus(files, status, note.trim());
  }
  return (
    <Dialog title={t("title", { count: files.length, name: files[0]?.name ?? "" })} onClose={onClose} width="sm" lightDismiss={note === ""}>
      <form ref={form} onSubmit={submit}>
        {!statuses && <RowsSkeleton rows={4} />}
        {statuses?.length === 0 && <p className="text-text-2">{t("empty")}</p>}
        <div role="radiogroup" aria-label={t("status")} className="mb-4 flex flex-col">
          {statuses?.map((option) => (
            <label key={option.id} className="flex min-h-9 items-center gap-2.5 rounded-sm px-2 hover:bg-hover">
              <input type="radio" name="status" checked={option.id === selectedId} onChange={() => setSelectedId(option.id)} />
              <StatusBadge status={option} />
            </label>
          ))}
        </div>
        <TextArea
          label={t("note")}
          hint={t("noteHint")}
          rows={3}
          value={note}
          onChange={setNote}
          error={tooLong ? t("noteTooLong", { count: MAX_NOTE_LENGTH }) : undefined}
        />
        <DialogActions>
          <Button onClick={onClose}>{tCommon("cancel")}</Button>
          <Button type="submit" variant="primary" disabled={!canSubmit}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
