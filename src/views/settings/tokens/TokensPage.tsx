import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import type { ApiToken } from "../../../../contract/access-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { ErrorNotice, LoadError } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../../lib/time.ts";
import { useRevokeToken, useTokens } from "../../../queries/account.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { SettingsSection } from "../SettingsView.tsx";
import { NewTokenDialog } from "./NewTokenDialog.tsx";

export function TokensPage() {
  const tokens = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiToken | null>(null);
  const createButton = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      <Plus size={16} aria-hidden />
      {t("newToken")}
    </Button>
  );
  return (
    <>
      <SettingsSection title={t("tokens")} lead={t("tokensLead")} actions={tokens.data && tokens.data.length > 0 && createButton}>
        {tokens.isPending && <RowsSkeleton rows={2} />}
        {tokens.isError && !tokens.data && <LoadError error={tokens.error} retry={() => void tokens.refetch()} />}
        {tokens.data?.length === 0 && (
          <EmptyState icon={<KeyRound size={22} aria-hidden />} title={t("tokensEmpty")} actions={createButton}>
            {t("tokensEmptyHelp")}
          </EmptyState>
        )}
        <ul>
          {tokens.data?.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setTokenToRevoke(token)} />
          ))}
        </ul>
      </SettingsSection>
      {isCreating && <NewTokenDialog onClose={() => setIsCreating(false)} />}
      {tokenToRevoke && <RevokeDialog token={tokenToRevoke} onClose={() => setTokenToRevoke(null)} />}
    </>
  );
}

function formatExpiry(token: ApiToken, now: number): string {
  if (!token.expires_at) return t("tokenNoExpiry");
  const when = formatShortDay(token.expires_at, now);
  return new Date(token.expires_at).getTime() > now ? t("tokenExpires", { when }) : t("tokenExpired", { when });
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke(): void }) {
  const now = useServiceTime();
  return (
    <li className="-mx-4 flex items-center gap-4 border-b border-line px-4 py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{token.name}</span>
          <span className="font-mono text-sm text-text-3">{token.hint}</span>
        </p>
        <p className="text-sm text-text-2">{token.scopes.join(", ")}</p>
        <p className="text-sm text-text-3">
          {t("created", { day: formatShortDay(token.created_at, now) })} · {formatExpiry(token, now)} ·{" "}
          {token.last_used_at ? t("tokenUsed", { when: formatRelativeTime(token.last_used_at, now) }) : t("tokenUnused")}
        </p>
      </div>
      <Button size="sm" variant="danger" onClick={onRevoke}>
        {t("revoke")}
      </Button>
    </li>
  );
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose(): void }) {
  const revoke = useRevokeToken();
  return (
    <ConfirmDialog
      title={t("revokeTitle", { name: token.name })}
      description={t("revokeHelp")}
      confirmLabel={t("revoke")}
      cancelLabel={t("cancel")}
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate(token.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ErrorNotice error={revoke.error} />
    </ConfirmDialog>
  );
}
