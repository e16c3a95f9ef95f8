import type { ApiToken } from "../../../contract/access-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { t } from "../../lib/texts/settings.ts";
import { ConfirmAction } from "../FormDialog.tsx";
import { hasExpired } from "./TokenRow.tsx";

interface RevokeTokenDialogProps {
  revoke: { isPending: boolean; error: unknown; mutateAsync(id: number): Promise<unknown> };
  token: ApiToken;
  onRevoked(): void;
  onClose(): void;
}

/** Asks before a token is revoked, or removed from the list once it has expired. */
export function RevokeTokenDialog({ revoke, token, onRevoked, onClose }: RevokeTokenDialogProps) {
  const isExpired = hasExpired(token, useServiceTime());
  return (
    <ConfirmAction
      action={revoke}
      title={t(isExpired ? "tokenRemoveTitle" : "revokeTitle", { name: token.name })}
      description={t(isExpired ? "tokenRemoveHelp" : "revokeHelp")}
      confirmLabel={t(isExpired ? "tokenRemove" : "revoke")}
      onConfirm={() =>
        void revoke.mutateAsync(token.id).then(
          () => {
            onRevoked();
            onClose();
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
