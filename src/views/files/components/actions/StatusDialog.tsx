import { useState } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import type { FileStatus } from "../../../../../contract/records.ts";
import { t } from "../../../../lib/messages/file-actions.ts";
import { StatusBadge } from "../../../../parts/status/StatusBadge.tsx";
import { useStatuses } from "../../../../queries/statuses/use-statuses.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";
import { RowsSkeleton } from "../../../../ui/RowsSkeleton.tsx";
import { showToast } from "../../../../ui/toast.ts";
import { useFilesRoom } from "../files-room.ts";
import { useActionsRoom } from "./actions-room.ts";
import { reasonOf } from "./changes.ts";

/** One status for several files. Choosing and setting are two acts, so that nothing is approved by accident. */
export function StatusDialog({ entries, onClose }: { entries: readonly FileEntry[]; onClose(): void }) {
  const { project } = useFilesRoom();
  const { acts } = useActionsRoom();
  const { data: statuses } = useStatuses(project.team_id, true);
  const files = entries.filter(({ is_folder }) => !is_folder);
  const same = files.every(({ status }) => status?.id === files[0]?.status?.id) ? files[0]?.status?.id : undefined;
  const [chosen, setChosen] = useState<number | undefined>(same);

  async function set(status: FileStatus) {
    const { refused, error } = await acts.setStatuses(files, status);
    const count = files.length - refused.length;
    if (count > 0) showToast({ text: t("statusSet", { count, status: status.title }) });
    if (refused.length > 0) showToast({ text: t("statusRefused", { count: refused.length, reason: reasonOf(error) }), tone: "bad" });
  }
  const status = statuses?.find(({ id }) => id === chosen);
  return (
    <Dialog title={t("statusTitle", { count: files.length, name: files[0]?.name ?? "" })} closeLabel={t("close")} onClose={onClose} width="sm" lightDismiss>
      {!statuses && <RowsSkeleton rows={4} />}
      {statuses?.length === 0 && <p className="text-text-2">{t("statusNone")}</p>}
      <div role="radiogroup" aria-label={t("status")} className="flex flex-col">
        {statuses?.map((one) => (
          <label key={one.id} className="flex min-h-9 items-center gap-2.5 rounded-sm px-2 hover:bg-hover">
            <input type="radio" name="status" checked={one.id === chosen} onChange={() => setChosen(one.id)} className="size-4 accent-accent" />
            <StatusBadge status={one} />
          </label>
        ))}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button
          look="primary"
          disabled={!status}
          onClick={() => {
            onClose();
            if (status) void set(status);
          }}
        >
          {t("save")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
