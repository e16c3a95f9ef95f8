import { Pencil, Trash2 } from "lucide-react";
import type { FileStatus } from "../../../../contract/records.ts";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { paletteIndex } from "../../../lib/hue.ts";
import { t } from "../../../lib/texts/status-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useReorderStatuses } from "../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { ReorderableRow, useReorder } from "../../../ui/ReorderableRow.tsx";
import { colorName } from "../../../components/ColorField.tsx";
import { moveItem } from "../../../ui/use-row-drag.ts";

interface Props {
  teamId: number;
  statuses: readonly FileStatus[];
  defaultId: number | null;
  /** If false, the list is read-only. */
  canEdit: boolean;
  onEdit(status: FileStatus): void;
  onDelete(status: FileStatus): void;
}

/** Lists the statuses in order; dragging a row by its handle or pressing arrow keys on the handle reorders them. */
export function StatusList({ teamId, statuses, defaultId, canEdit, onEdit, onDelete }: Props) {
  const reorder = useReorderStatuses(teamId);

  const indexOf = (id: number) => reorder.latest().findIndex((item) => item.id === id);
  function move(id: number, to: number) {
    const latestStatuses = reorder.latest();
    const fromIndex = indexOf(id);
    const status = latestStatuses[fromIndex];
    if (!status) return;
    reorder.mutate(moveItem(latestStatuses, fromIndex, to).map((item) => item.id));
    announce(t("moved", { title: status.title, position: to + 1, count: statuses.length }));
  }
  const rows = useReorder({ count: statuses.length, indexOf, onMove: move });
  return (
    <>
      <ol>
        {statuses.map((status, index) => (
          <ReorderableRow
            key={status.id}
            reorder={rows}
            id={status.id}
            index={index}
            handleLabel={canEdit ? t("move", { title: status.title, position: index + 1, count: statuses.length }) : null}
            className="-mx-4 min-h-12 items-center gap-2 border-b border-line px-4 py-1.5 last:border-0"
          >
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
              <StatusBadge status={status} />
              <span className="text-sm text-text-2">{colorName(paletteIndex(status.color))}</span>
              {status.id === defaultId && <span className="rounded-full bg-hover px-2 text-xs font-medium text-text-2">{t("isDefault")}</span>}
              {status.is_final && <span className="rounded-full bg-hover px-2 text-xs font-medium text-text-2">{t("isFinal")}</span>}
            </div>
            {canEdit && (
              <>
                <IconButton icon={Pencil} iconSize={16} label={t("edit", { title: status.title })} onClick={() => onEdit(status)} />
                <IconButton icon={Trash2} iconSize={16} label={t("delete", { title: status.title })} onClick={() => onDelete(status)} />
              </>
            )}
          </ReorderableRow>
        ))}
      </ol>
      {reorder.error && (
        <Notice title={t("moveFailed")} className="my-3">
          {describeError(reorder.error).title}
        </Notice>
      )}
    </>
  );
}
