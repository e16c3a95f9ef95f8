import { KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { useClient } from "../client/client.ts";
import { t as tCommon } from "../lib/texts/common.ts";
import { t } from "../lib/texts/connect.ts";
import { isValidToken, useIsTokenRefused, useReplaceToken } from "../queries/connection.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { PasswordField } from "../ui/Field.tsx";
import { useToasts } from "../ui/toast.ts";
import { isModalOpen } from "../ui/use-document-keydown.ts";
import { ErrorNotice } from "./ErrorNotice.tsx";

/** Shows in every view that the service refuses the access token, unless the view itself shows it, and takes another token without leaving the view. */
export function TokenNotice() {
  const isRefused = useIsTokenRefused();
  const { hasToken } = useClient().api;
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    // This notice is out of reach behind an open dialog, whose text must not be lost.
    if (isRefused && isModalOpen()) setIsOpen(true);
  }, [isRefused]);
  if (!isRefused && !isOpen) return null;
  return (
    <section
      aria-label={t("token")}
      className="flex min-h-8 shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-danger/15 px-4 py-1 text-sm group-has-[[data-token-refused]]/shell:hidden"
    >
      <KeyRound size={15} aria-hidden className="shrink-0 text-danger" />
      <p role="alert">{`${t(hasToken ? "refusedNotice" : "tokenMissing")}.`}</p>
      <button type="button" className="shrink-0 rounded-sm font-semibold underline underline-offset-2" onClick={() => setIsOpen(true)}>
        {t(hasToken ? "enterAnother" : "enterFirst")}
      </button>
      {isOpen && <TokenDialog onClose={() => setIsOpen(false)} />}
    </section>
  );
}

/** Prompts for an access token, with which the failed requests are repeated. */
export function TokenDialog({ onClose }: { onClose(): void }) {
  const { hasToken } = useClient().api;
  const [token, setToken] = useState("");
  const replaceToken = useReplaceToken();
  const toasts = useToasts();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (token.trim() === "" || !isValidToken(token) || replaceToken.isPending) return;
    replaceToken.mutate(token.trim(), {
      onSuccess(isStored) {
        onClose();
        if (!isStored) toasts.show({ text: t("tokenNotStored") });
      },
    });
  }
  return (
    <Dialog title={t(hasToken ? "enterAnother" : "enterFirst")} description={t(hasToken ? "replaceHelp" : "nothingLost")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <ErrorNotice error={replaceToken.error} />
        <PasswordField
          label={t("token")}
          value={token}
          onChange={setToken}
          error={isValidToken(token) ? undefined : t("tokenCharacters")}
          autoComplete="off"
          autoFocus
          required
        />
        <DialogActions>
          <Button onClick={onClose}>{tCommon("cancel")}</Button>
          <Button type="submit" variant="primary" pending={replaceToken.isPending} disabled={token.trim() === "" || !isValidToken(token)}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
