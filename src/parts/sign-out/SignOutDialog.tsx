import { t } from "../../lib/messages/sign-out.ts";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { useUnfinishedCount } from "../../queries/uploads/use-file-uploads.ts";
import { explain } from "../../queries/problems.ts";
import { useSignOut } from "../../queries/session/use-sign-out.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Asks before somebody signs out whose messages or uploads are not with the service yet. */
export function SignOutDialog({ onClose }: { onClose(): void }) {
  const signOut = useSignOut();
  const unsent = useUnsentCount();
  const uploads = useUnfinishedCount();
  const open = [...(unsent > 0 ? [t("unsent", { count: unsent })] : []), ...(uploads > 0 ? [t("uploads", { count: uploads })] : [])];
  return (
    <ConfirmDialog
      title={t("title")}
      description={open.length > 0 ? open.join(" ") : t("allSent")}
      confirmLabel={t("signOut")}
      cancelLabel={t("cancel")}
      pending={signOut.isPending}
      onConfirm={() => signOut.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {signOut.error && <Notice title={explain(signOut.error).title}>{explain(signOut.error).help}</Notice>}
    </ConfirmDialog>
  );
}
