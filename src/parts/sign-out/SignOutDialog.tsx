import { t } from "../../lib/messages/sign-out.ts";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { useUnfinishedUploadCount } from "../../queries/uploads/use-file-uploads.ts";
import { describeError } from "../../queries/problems.ts";
import { useSignOut } from "../../queries/session/use-sign-out.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Asks for confirmation before a sign-out while messages or uploads have not reached the service. */
export function SignOutDialog({ onClose }: { onClose(): void }) {
  const signOut = useSignOut();
  const unsent = useUnsentCount();
  const uploads = useUnfinishedUploadCount();
  const unfinished = [...(unsent > 0 ? [t("unsent", { count: unsent })] : []), ...(uploads > 0 ? [t("uploads", { count: uploads })] : [])];
  return (
    <ConfirmDialog
      title={t("title")}
      description={unfinished.length > 0 ? unfinished.join(" ") : t("allSent")}
      confirmLabel={t("signOut")}
      cancelLabel={t("cancel")}
      pending={signOut.isPending}
      onConfirm={() => signOut.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {signOut.error && <Notice title={describeError(signOut.error).title}>{describeError(signOut.error).help}</Notice>}
    </ConfirmDialog>
  );
}
