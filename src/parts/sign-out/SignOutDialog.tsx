import { t } from "../../lib/messages/sign-out.ts";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { explain } from "../../queries/problems.ts";
import { useSignOut } from "../../queries/session/use-sign-out.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { Notice } from "../../ui/Notice.tsx";

/** Asks before somebody signs out whose messages are not sent yet. */
export function SignOutDialog({ onClose }: { onClose(): void }) {
  const signOut = useSignOut();
  const unsent = useUnsentCount();
  return (
    <ConfirmDialog
      title={t("title")}
      description={unsent > 0 ? t("unsent", { count: unsent }) : t("allSent")}
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
