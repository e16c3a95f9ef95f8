import type { Member } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/settings.ts";
import { useUpdateMember } from "../../../queries/members/use-members.ts";
import { describeError } from "../../../queries/problems.ts";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";

export function DisableDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const update = useUpdateMember();
  return (
    <ConfirmDialog
      title={t("disableTitle", { name: member.username })}
      description={t("disableHelp")}
      confirmLabel={t("disable")}
      cancelLabel={t("cancel")}
      pending={update.isPending}
      onConfirm={() => update.mutate({ id: member.id, disabled: true }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {update.error && <Notice title={describeError(update.error).title}>{describeError(update.error).help}</Notice>}
    </ConfirmDialog>
  );
}
