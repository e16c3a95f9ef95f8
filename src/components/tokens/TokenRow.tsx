import type { ApiToken } from "../../../contract/access-records.ts";
import { useServiceTime } from "../../client/client.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { Button } from "../../ui/Button.tsx";

export const hasExpired = (token: ApiToken, now: number) => token.expires_at !== null && new Date(token.expires_at).getTime() <= now;

/** An API token with a button to revoke it, or to remove it once it has expired. */
export function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke(): void }) {
  const now = useServiceTime();
  const isExpired = hasExpired(token, now);
  const expiry =
    token.expires_at === null ? t("tokenNoExpiry") : t(isExpired ? "tokenExpired" : "tokenExpires", { when: formatShortDay(token.expires_at, now) });
  return (
    <li className="-mx-4 flex items-center gap-4 border-b border-line px-4 py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium [overflow-wrap:anywhere]">{token.name}</span>
          <span className="font-mono text-sm text-text-3">{token.hint}</span>
        </p>
        <p className="text-sm text-text-2">{token.scopes.join(", ")}</p>
        <p className="text-sm text-text-3">
          {t("created", { day: formatShortDay(token.created_at, now) })} · {expiry} ·{" "}
          {token.last_used_at ? t("tokenUsed", { when: formatRelativeTime(token.last_used_at, now) }) : t("tokenUnused")}
        </p>
      </div>
      <Button
        size="sm"
        variant={isExpired ? "secondary" : "danger"}
        aria-label={t(isExpired ? "tokenRemoveLabel" : "revokeLabel", { name: token.name })}
        onClick={onRevoke}
      >
        {t(isExpired ? "tokenRemove" : "revoke")}
      </Button>
    </li>
  );
}
