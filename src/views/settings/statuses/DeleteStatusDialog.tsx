import { useState } from "react";
import type { FileStatus } from "../../../../contract/records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/status-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useDeleteStatus, useStatusUsage } from "../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { SelectField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";

interface Props {
  teamId: number;
  status: FileStatus;
  /** The team's other statuses. */
  otherStatuses: readonly FileStatus[];
  onDeleted(): void;
  onClose(): void;
}

/** Deletes a status, and asks for a replacement if files use it. */
export function DeleteStatusDialog({ teamId, status, otherStatuses, onDeleted, onClose }: Props) {
  const usage = useStatusUsage(status.id);
  const remove = useDeleteStatus(teamId, () => {
    announce(t("deleted", { title: status.title }));
    onDeleted();
    onClose();
  });
  const [selectedId, setSelectedId] = useState(otherStatuses[0]?.id);
  const replacement = otherStatuses.find(({ id }) => id === selectedId) ?? otherStatuses[0];
  const count = usage.data;
  const isUsed = count !== undefined && count > 0;
  const isBlocked = isUsed && !replacement;

  function confirm() {
    if (count === undefined) return;
    remove.mutate(
      { id: status.id, replacementId: isUsed ? replacement?.id : undefined },
      {
        // A file may have been given this status in the meantime.
        onError: () => void usage.refetch(),
      },
    );
  }
  return (
    <Dialog title={t("deleteTitle", { title: status.title })} closeLabel={t("close")} onClose={onClose} width="sm" lightDismiss>
      <div className="flex flex-col gap-4">
        {usage.isPending && (
          <p role="status" className="text-text-2">
            {t("usageLoading")}
          </p>
        )}
        {usage.isError && count === undefined && (
          <Notice title={describeError(usage.error).title}>
            <Button size="sm" className="mt-2" onClick={() => void usage.refetch()}>
              {t("retry")}
            </Button>
          </Notice>
        )}
        {count !== undefined && <p className="text-text-2">{count === 0 ? t("unused") : isBlocked ? t("onlyOne") : t("used", { count })}</p>}
        {isUsed && replacement && (
          <SelectField label={t("replacement")} value={replacement.id} onChange={({ target }) => setSelectedId(Number(target.value))}>
            {otherStatuses.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <ErrorNotice error={remove.error} />
      </div>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button variant="danger" pending={remove.isPending} disabled={count === undefined || isBlocked} onClick={confirm}>
          {t("confirmDelete")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
