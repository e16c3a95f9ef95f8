import { useState, type ReactNode } from "react";
import { t } from "../../lib/messages/sign-out.ts";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { useUnfinishedUploadCount } from "../../queries/uploads/use-file-uploads.ts";
import { useSignOut } from "../../queries/session/use-sign-out.ts";
import { Button } from "../../ui/Button.tsx";
import { SignOutDialog } from "./SignOutDialog.tsx";

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
