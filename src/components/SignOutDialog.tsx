import { type ReactNode, useState } from "react";
import { t } from "../lib/texts/sign-out.ts";
import { useSignOut } from "../sync/live/use-sign-out.ts";
import { useUnsentCount } from "../sync/outbox/use-outbox.ts";
import { useUnfinishedUploadCount } from "../sync/uploads/use-uploads.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmAction } from "./FormDialog.tsx";

/** Asks for confirmation before a sign-out while messages or uploads have not reached the service. */
export function SignOutDialog({ onClose }: { onClose(): void }) {
  const signOut = useSignOut();
  const unsent = useUnsentCount();
  const uploads = useUnfinishedUploadCount();
  const unfinished = [...(unsent > 0 ? [t("unsent", { count: unsent })] : []), ...(uploads > 0 ? [t("uploads", { count: uploads })] : [])];
  return (
    <ConfirmAction
      action={signOut}
      title={t("title")}
      description={unfinished.length > 0 ? unfinished.join(" ") : t("allSent")}
      confirmLabel={t("signOut")}
      onConfirm={() => signOut.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

/** Signs out of this browser, after a confirmation if messages or uploads are unfinished. */
export function SignOutButton({ icon, size }: { icon?: ReactNode; size?: "sm" }) {
  const signOut = useSignOut();
  const unsent = useUnsentCount() + useUnfinishedUploadCount();
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <Button {...(size && { size })} pending={signOut.isPending} onClick={() => (unsent > 0 ? setIsConfirming(true) : signOut.mutate())}>
        {icon}
        {t("signOut")}
      </Button>
      {isConfirming && <SignOutDialog onClose={() => setIsConfirming(false)} />}
    </>
  );
}
