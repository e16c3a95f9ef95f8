/** Dialogs that create, edit or delete a status. */
import { cleanName, nameKey } from "../../../../contract/text.ts";
import { useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { createFileStatus as operation } from "../../../../contract/operations/statuses.ts";
import type { FileStatus } from "../../../../contract/records.ts";
import { ColorField, COLORS } from "../../../components/ColorField.tsx";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { useForm } from "../../../components/use-form.ts";
import { paletteIndex } from "../../../lib/hue.ts";
import { t as tColors } from "../../../lib/texts/colors.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/status-settings.ts";
import { useCreateStatus, useDeleteStatus, useStatusUsage, useUpdateStatus } from "../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { CheckField, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";

interface StatusFormProps {
  teamId: number;
  statuses: readonly FileStatus[];
  /** Null creates a new status. */
  status: FileStatus | null;
  onClose(): void;
}

/** Edits the title and color of a new or existing status. */
export function StatusForm({ teamId, statuses, status, onClose }: StatusFormProps) {
  const create = useCreateStatus(teamId);
  const update = useUpdateStatus(teamId, status?.id ?? 0);
  const [initialColor] = useState(() => (status ? paletteIndex(status.color) : firstUnusedColor(statuses)));
  const form = useForm(status ? update : create, operation.body, { title: status?.title ?? "", color: initialColor, is_final: status?.is_final ?? false });
  // A service that has no final statuses returns none of these members.
  const hasFinalStatuses = (status ? [status] : statuses).some(({ is_final }) => is_final !== undefined) || (!status && statuses.length === 0);
  const { color, is_final } = form.values;
  const title = cleanName(form.values.title);
  const isTitleTaken = statuses.some((other) => other.id !== status?.id && nameKey(other.title) === nameKey(title));
  return (
    <FormDialog
      title={status ? t("editTitle", { title: status.title }) : t("newTitle")}
      width="sm"
      form={form}
      body={{ title, color, ...(hasFinalStatuses ? { is_final } : {}) }}
      extraErrors={isTitleTaken ? [{ path: "title", message: t("titleTaken") }] : []}
      onDone={(saved) => {
        announce(t("saved", { title: saved.title }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={status ? tCommon("save") : t("confirmAdd")}
    >
      <TextField
        {...form.field("title", t("title"))}
        hint={t("titleHint")}
        autoComplete="off"
        autoFocus
        required
        maxLength={LIMITS.file_status_title_characters}
      />
      <ColorField value={color} error={form.errorOf("color", tColors("color"))} onChange={(chosen) => form.setValues({ color: chosen })} />
      {hasFinalStatuses && (
        <CheckField label={t("final")} hint={t("finalHint")} checked={is_final} onChange={(checked) => form.setValues({ is_final: checked })} />
      )}
      <p className="flex items-center gap-2.5 text-sm text-text-2">
        {t("preview")} <StatusBadge status={{ id: 0, position: 0, color, title: title === "" ? t("noTitle") : title }} />
      </p>
    </FormDialog>
  );
}

const firstUnusedColor = (statuses: readonly FileStatus[]) => COLORS.find((color) => statuses.every((status) => paletteIndex(status.color) !== color)) ?? 0;

interface DeleteStatusDialogProps {
  teamId: number;
  status: FileStatus;
  /** The team's other statuses. */
  otherStatuses: readonly FileStatus[];
  onDeleted(): void;
  onClose(): void;
}

/** Deletes a status, and asks for a replacement if files use it. */
export function DeleteStatusDialog({ teamId, status, otherStatuses, onDeleted, onClose }: DeleteStatusDialogProps) {
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
  return (
    <Dialog title={t("deleteTitle", { title: status.title })} onClose={onClose} width="sm" lightDismiss>
      <div className="flex flex-col gap-4">
        {usage.isPending && (
          <p role="status" className="text-text-2">
            {t("usageLoading")}
          </p>
        )}
        {usage.isError && count === undefined && <LoadError error={usage.error} retry={() => void usage.refetch()} />}
        {count !== undefined && <p className="text-text-2">{count === 0 ? t("unused") : isBlocked ? t("onlyOne") : t("used", { count })}</p>}
        {isUsed && replacement && (
          <Select label={t("replacement")} value={replacement.id} options={otherStatuses.map(({ id, title }) => [id, title])} onChange={setSelectedId} />
        )}
        <ErrorNotice error={remove.error} />
      </div>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {tCommon("cancel")}
        </Button>
        <Button
          variant="danger"
          pending={remove.isPending}
          disabled={count === undefined || isBlocked}
          // A file may have been given this status in the meantime.
          onClick={() => remove.mutate({ id: status.id, replacementId: isUsed ? replacement?.id : undefined }, { onError: () => void usage.refetch() })}
        >
          {t("confirmDelete")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
