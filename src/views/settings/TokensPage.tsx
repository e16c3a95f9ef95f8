import { KeyRound, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { cleanName } from "../../../contract/text.ts";
import type { ApiToken } from "../../../contract/access-records.ts";
import { SCOPES, type Scope } from "../../../contract/define-operation.ts";
import { createToken as operation, getAccount } from "../../../contract/operations/accounts.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { useClient, useServiceTime } from "../../client/client.ts";
import { ConfirmAction, FormDialog } from "../../components/FormDialog.tsx";
import { ListSection, ListState } from "../../components/ListSection.tsx";
import { describeScope } from "../../components/scope-labels.ts";
import { SecretStep } from "../../components/SecretDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatDayTime, formatRelativeTime, formatShortDay } from "../../lib/time.ts";
import { useCreateToken, useRevokeToken, useTokens } from "../../queries/account.ts";
import { useProjects } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CheckField, FieldGroup, TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";

const hasExpired = (token: ApiToken, now: number) => token.expires_at !== null && new Date(token.expires_at).getTime() <= now;

export function TokensPage() {
  const tokens = useTokens();
  const now = useServiceTime();
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiToken | null>(null);
  const newButton = useRef<HTMLButtonElement>(null);
  const focusNewButton = useFocusAfterRemoval(newButton);
  const expiredTokens = tokens.data?.filter((token) => hasExpired(token, now)) ?? [];
  const activeTokens = tokens.data?.filter((token) => !hasExpired(token, now)) ?? [];
  const createButton = (
    <Button ref={newButton} icon={Plus} variant="primary" onClick={() => setIsCreating(true)}>
      {t("newToken")}
    </Button>
  );
  const renderRow = (token: ApiToken) => <TokenRow key={token.id} token={token} onRevoke={() => setTokenToRevoke(token)} />;
  return (
    <>
      <ListSection title={t("tokens")} lead={t("tokensLead")} actions={activeTokens.length > 0 && createButton}>
        <ListState query={tokens} rows={2} />
        {tokens.data && activeTokens.length === 0 && (
          <EmptyState icon={<KeyRound size={22} aria-hidden />} title={t(expiredTokens.length > 0 ? "tokensNoneActive" : "tokensEmpty")} actions={createButton}>
            {t("tokensEmptyHelp")}
          </EmptyState>
        )}
        <ul>{activeTokens.map(renderRow)}</ul>
      </ListSection>
      {expiredTokens.length > 0 && (
        <ListSection title={t("tokensExpired")} lead={t("tokensExpiredLead")}>
          <ul>{expiredTokens.map(renderRow)}</ul>
        </ListSection>
      )}
      {isCreating && <NewTokenDialog onClose={() => setIsCreating(false)} />}
      {tokenToRevoke && <RevokeDialog token={tokenToRevoke} onRevoked={focusNewButton} onClose={() => setTokenToRevoke(null)} />}
    </>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke(): void }) {
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

function RevokeDialog({ token, onRevoked, onClose }: { token: ApiToken; onRevoked(): void; onClose(): void }) {
  const revoke = useRevokeToken();
  const isExpired = hasExpired(token, useServiceTime());
  return (
    <ConfirmAction
      action={revoke}
      title={t(isExpired ? "tokenRemoveTitle" : "revokeTitle", { name: token.name })}
      description={t(isExpired ? "tokenRemoveHelp" : "revokeHelp")}
      confirmLabel={t(isExpired ? "tokenRemove" : "revoke")}
      onConfirm={() =>
        revoke.mutate(token.id, {
          onSuccess: () => {
            onRevoked();
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}

const EXPIRY_OPTIONS = [
  [7, t("in7")],
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
  const { role } = useSession();
  const now = useServiceTime();
  return (
    <FormDialog
      title={created ? t("tokenReady") : t("newToken")}
      description={created?.token !== undefined && t("tokenReadyHelp")}
      form={form}
      body={{ name: cleanName(name), scopes: [...scopes], expires_at }}
      onDone={setCreated}
      onClose={onClose}
      submitLabel={t("tokenCreate")}
      result={
        created && (
          <SecretStep label={t("tokenLabel")} secret={created.token} hiddenText={t("tokenHidden")} onClose={onClose}>
            {created.token !== undefined && <TokenExample token={created.token} scopes={scopes} />}
          </SecretStep>
        )
      }
    >
      <TextField {...form.field("name", t("tokenName"))} hint={t("tokenNameHint")} autoComplete="off" autoFocus required maxLength={80} />
      <FieldGroup label={t("tokenScopes")} error={form.errorOf("scopes", t("tokenScopes"))}>
        <div className="flex flex-col gap-1">
          {SCOPES.map((scope) => {
            const isChecked = scopes.includes(scope);
            const { label, limit, roleLimit } = describeScope(scope, scopes, role);
            return (
              <CheckField
                key={scope}
                label={label}
                hint={
                  <>
                    <code className="font-mono text-xs">{scope}</code>
                    {(roleLimit || (isChecked && limit)) && <span className="block">{[isChecked && limit, roleLimit].filter(Boolean).join(" ")}</span>}
                  </>
                }
                checked={isChecked}
                onChange={(isNowChecked) => form.setValues({ scopes: isNowChecked ? [...scopes, scope] : scopes.filter((selected) => selected !== scope) })}
              />
            );
          })}
        </div>
      </FieldGroup>
      <Select
        label={t("tokenExpiry")}
        value={days}
        options={EXPIRY_OPTIONS}
        hint={expires_at === null ? t("tokenNoExpiryHint") : t("tokenExpiryHint", { when: formatDayTime(expires_at, now) })}
        onChange={(next) => form.setValues(createExpiry(next))}
        error={form.errorOf("expires_at", t("tokenExpiry"))}
      />
    </FormDialog>
  );
}

/** Shows a command that uses the new token, if its scopes allow one that works without further ids. */
function TokenExample({ token, scopes }: { token: string; scopes: readonly Scope[] }) {
  const { api } = useClient();
  const project = useProjects().data?.[0];
  const readsChat = scopes.includes("chat:read") && project !== undefined;
  if (!readsChat && !scopes.includes("account:read")) return null;
  const [lead, path, body] = readsChat
    ? [t("tokenExampleChat", { project: project.name }), chatHistory.path, { project_id: project.id, limit: 10 }]
    : [t("tokenExampleAccount"), getAccount.path, {}];
  const command = [`curl ${api.address(path)}`, `-H "Authorization: Bearer ${token}"`, `-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`];
  return (
    <section className="mt-1 flex flex-col gap-1.5">
      <p className="text-sm text-text-2 [overflow-wrap:anywhere]">{lead}</p>
      <CodeBlock label={t("tokenExample")} text={command.join(" \\\n  ")} wrap />
      <p className="text-sm">
        <a href={api.address("/docs")} target="_blank" rel="noreferrer" className="text-accent-text underline underline-offset-2">
          {t("tokenDocs")}
        </a>
      </p>
    </section>
  );
}
