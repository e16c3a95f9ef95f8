import type { MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useMoveTemplate } from "../../../queries/metadata/use-template-order.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { ReorderableRow, useReorder } from "../../../ui/ReorderableRow.tsx";

interface TemplateOrderProps {
  teamId: number;
  templates: readonly MetadataTemplate[];
  onClose(): void;
}

/** Changes the order of a team's templates, which is that of their fields on files and as columns. Each move is saved at once. */
export function TemplateOrder({ teamId, templates, onClose }: TemplateOrderProps) {
  const move = useMoveTemplate(teamId);
  const reorder = useReorder({
    count: templates.length,
    indexOf: (id) => move.latest().findIndex((template) => template.id === id),
    onMove(id, position) {
      const template = templates.find((one) => one.id === id);
      if (!template) return;
      move.mutate({ id, position });
      announce(t("moved", { name: template.name, position: position + 1, count: templates.length }));
    },
  });
  return (
    <Dialog title={t("orderTitle")} description={t("orderHelp")} width="sm" onClose={onClose}>
      <ol aria-label={t("orderTitle")} className="overflow-hidden rounded-lg border border-line">
        {templates.map(({ id, name, fields }, index) => (
          <ReorderableRow
            key={id}
            reorder={reorder}
            id={id}
            index={index}
            handleLabel={t("move", { name, position: index + 1, count: templates.length })}
            className="min-h-11 items-center gap-2 border-b border-line px-4 py-1.5 last:border-0"
          >
            <bdi className="min-w-0 flex-1 truncate font-medium">{name}</bdi>
            <span className="shrink-0 text-sm text-text-2">{t("fieldCount", { count: fields.length })}</span>
          </ReorderableRow>
        ))}
      </ol>
      {move.error && (
        <Notice title={t("moveFailed")} className="mt-3">
          {describeError(move.error).title}
        </Notice>
      )}
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {tCommon("done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
