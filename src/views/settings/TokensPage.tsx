import { KeyRound, Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { ApiToken } from "../../../contract/access-records.ts";
import { SCOPES, type Scope } from "../../../contract/define-operation.ts";
import { createToken as operation, getAccount } from "../../../contract/operations/accounts.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { useClient, useServiceTime } from "../../client/client.ts";
import { ListSection, ListState } from "../../components/ListSection.tsx";
import { describeScope } from "../../components/scope-labels.ts";
import { NewTokenDialog } from "../../components/tokens/NewTokenDialog.tsx";
import { RevokeTokenDialog } from "../../components/tokens/RevokeTokenDialog.tsx";
import { hasExpired, TokenRow } from "../../components/tokens/TokenRow.tsx";
import { t } from "../../lib/texts/settings.ts";
import { useCreateToken, useRevokeToken, useTokens } from "../../queries/account.ts";
import { useProjects } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../ui/use-focus-after-removal.ts";

export function TokensPage() {
  const tokens = useTokens();
  const revoke = useRevokeToken();
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
      {isCreating && <NewToken onClose={() => setIsCreating(false)} />}
      {tokenToRevoke && <RevokeTokenDialog revoke={revoke} token={tokenToRevoke} onRevoked={focusNewButton} onClose={() => setTokenToRevoke(null)} />}
    </>
  );
}

const DEFAULT_SCOPES: readonly Scope[] = ["account:read", "chat:read"];

function NewToken({ onClose }: { onClose(): void }) {
  const { role } = useSession();
  return (
    <NewTokenDialog
      create={useCreateToken()}
      schema={operation.body}
      scopeOptions={SCOPES}
      defaultScopes={DEFAULT_SCOPES}
      describe={(scope, scopes) => describeScope(scope, scopes, role)}
      renderExample={(token, scopes) => <TokenExample token={token} scopes={scopes} />}
      onClose={onClose}
    />
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
