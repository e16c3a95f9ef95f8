import { useEffect, useRef } from "react";
import type { Member } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/settings.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { usePasswordResetLink } from "../../../queries/members/use-members.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyField } from "../../../ui/CopyField.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";

export function ResetLinkDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const link = usePasswordResetLink();
  const hasRequested = useRef(false);
  const { mutate } = link;
  useEffect(() => {
    // Each call revokes the previous link, so strict mode must not call twice.
    if (hasRequested.current) return;
    hasRequested.current = true;
    mutate(member.id);
  }, [member.id, mutate]);
  return (
    <Dialog
      title={t("resetTitle", { name: member.username })}
      description={link.data && t("resetHelp", { day: formatDateTime(link.data.expires_at) })}
      closeLabel={t("close")}
      onClose={onClose}
    >
      {link.data ? (
        <CopyField label={t("resetLabel")} value={link.data.url} copyLabel={t("copy")} copiedLabel={t("copied")} selectedLabel={t("copyManually")} />
      ) : link.error ? (
        <LoadError error={link.error} retry={() => mutate(member.id)} />
      ) : (
        <Skeleton className="h-9" />
      )}
      <DialogActions>
        <Button onClick={onClose}>{t("done")}</Button>
      </DialogActions>
    </Dialog>
  );
}
