import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { cleanName } from "../../../contract/text.ts";
import type { ApiToken } from "../../../contract/access-records.ts";
import { SCOPES, type Scope } from "../../../contract/define-operation.ts";
import { createToken as operation } from "../../../contract/operations/accounts.ts";
import { useServiceTime } from "../../client/client.ts";
import { ConfirmAction, FormDialog } from "../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../components/ListSection.tsx";
import { SecretStep } from "../../components/SecretDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { useCreateToken, useRevokeToken, useTokens } from "../../queries/account.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CheckField, FieldGroup, TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";

export function TokensPage() {
  const tokens = useTokens();
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiToken | null>(null);
  const createButton = (
    <Button icon={Plus} variant="primary" onClick={() => setIsCreating(true)}>
      {t("newToken")}
    </Button>
  );
  return (
    <>
      <ListSection title={t("tokens")} lead={t("tokensLead")} actions={tokens.data && tokens.data.length > 0 && createButton}>
        <ListState query={tokens} rows={2} />
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
      </ListSection>
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
    <ConfirmAction
      action={revoke}
      title={t("revokeTitle", { name: token.name })}
      description={t("revokeHelp")}
      confirmLabel={t("revoke")}
      onConfirm={() => revoke.mutate(token.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const SCOPE_LABELS = {
  "account:read": "scopeAccountRead",
  "chat:read": "scopeChatRead",
  "chat:write": "scopeChatWrite",
  "files:read": "scopeFilesRead",
  "files:write": "scopeFilesWrite",
  webhooks: "scopeWebhooks",
  admin: "scopeAdmin",
} as const;
const EXPIRY_OPTIONS = [
  [30, t("in30")],
  [90, t("in90")],
  [365, t("in365")],
  [0, t("noExpiration")],
] as const;
const DAY_MS = 86_400_000;
const DEFAULT_SCOPES: readonly Scope[] = ["account:read", "chat:read"];

/** Computes the expiry once when a span is chosen, so that a retry of the form sends the same time. */
const createExpiry = (days: number) => ({ days, expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString() });

/** Creates a token and shows it once. */
function NewTokenDialog({ onClose }: { onClose(): void }) {
  const [initialExpiry] = useState(() => createExpiry(90));
  const [created, setCreated] = useState<{ token?: string | undefined } | null>(null);
  const form = useForm(useCreateToken(), operation.body, { name: "", scopes: DEFAULT_SCOPES, ...initialExpiry });
  const { name, scopes, days, expires_at } = form.values;
  return (
    <FormDialog
      title={created ? t("tokenReady") : t("newToken")}
      description={created?.token !== undefined && t("tokenReadyHelp")}
      form={form}
      body={{ name: cleanName(name), scopes: [...scopes], expires_at }}
      onDone={setCreated}
      onClose={onClose}
      submitLabel={t("tokenCreate")}
      result={created && <SecretStep label={t("tokenLabel")} secret={created.token} hiddenText={t("tokenHidden")} onClose={onClose} />}
    >
      <TextField {...form.field("name", t("tokenName"))} hint={t("tokenNameHint")} autoComplete="off" autoFocus required maxLength={80} />
      <FieldGroup label={t("tokenScopes")} error={form.errorOf("scopes", t("tokenScopes"))}>
        <div className="flex flex-col gap-1">
          {SCOPES.map((scope) => (
            <CheckField
              key={scope}
              label={t(SCOPE_LABELS[scope])}
              hint={<code className="font-mono text-xs">{scope}</code>}
              checked={scopes.includes(scope)}
              onChange={(isChecked) => form.setValues({ scopes: isChecked ? [...scopes, scope] : scopes.filter((selected) => selected !== scope) })}
            />
          ))}
        </div>
      </FieldGroup>
      <Select
        label={t("tokenExpiry")}
        value={days}
        options={EXPIRY_OPTIONS}
        onChange={(next) => form.setValues(createExpiry(next))}
        error={form.errorOf("expires_at", t("tokenExpiry"))}
      />
    </FormDialog>
  );
}
