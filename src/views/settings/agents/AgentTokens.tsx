import { KeyRound, Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { ApiToken } from "../../../../contract/access-records.ts";
import { type Agent, AGENT_SCOPES } from "../../../../contract/agent-records.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import { createAgentToken } from "../../../../contract/operations/agents.ts";
import { sendMessage } from "../../../../contract/operations/chat.ts";
import { useClient } from "../../../client/client.ts";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { NewTokenDialog } from "../../../components/tokens/NewTokenDialog.tsx";
import { RevokeTokenDialog } from "../../../components/tokens/RevokeTokenDialog.tsx";
import { TokenRow } from "../../../components/tokens/TokenRow.tsx";
import { t } from "../../../lib/texts/agents.ts";
import { useAgentTokens, useCreateAgentToken, useRevokeAgentToken } from "../../../queries/agents/use-agents.ts";
import { useProjects } from "../../../queries/projects.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeBlock } from "../../../ui/copy.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { describeAgentScope } from "./agent-scopes.ts";

/** The tokens with which programs act as the agent. */
export function AgentTokens({ agent }: { agent: Agent }) {
  const tokens = useAgentTokens(agent.id);
  const create = useCreateAgentToken(agent.id);
  const revoke = useRevokeAgentToken(agent.id);
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<ApiToken | null>(null);
  const newButton = useRef<HTMLButtonElement>(null);
  const focusNewButton = useFocusAfterRemoval(newButton);
  const count = tokens.data?.length ?? 0;
  const scopes = AGENT_SCOPES.filter((scope) => agent.scopes.includes(scope));
  const close = () => {
    setIsCreating(false);
    create.reset();
  };
  return (
    <ListSection
      title={t("tokens")}
      lead={t("tokensLead")}
      actions={
        <Button ref={newButton} icon={Plus} disabled={count >= LIMITS.agent_tokens} onClick={() => setIsCreating(true)}>
          {t("newToken")}
        </Button>
      }
    >
      <ListState query={tokens} rows={1} />
      {tokens.data && count === 0 && (
        <EmptyState icon={<KeyRound size={22} aria-hidden />} title={t("tokensEmpty")}>
          {t("tokensEmptyHelp")}
        </EmptyState>
      )}
      <ul>
        {tokens.data?.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => setTokenToRevoke(token)} />
        ))}
      </ul>
      {isCreating && (
        <NewTokenDialog
          create={create}
          schema={createAgentToken.body}
          scopeOptions={scopes}
          defaultScopes={scopes}
          describe={describeAgentScope}
          renderExample={(token, chosen) => chosen.includes("chat:write") && <TokenExample agent={agent} token={token} />}
          onClose={close}
        />
      )}
      {tokenToRevoke && <RevokeTokenDialog revoke={revoke} token={tokenToRevoke} onRevoked={focusNewButton} onClose={() => setTokenToRevoke(null)} />}
    </ListSection>
  );
}

/** Shows a command that posts a message as the agent; nothing if it is in no project. */
function TokenExample({ agent, token }: { agent: Agent; token: string }) {
  const { api } = useClient();
  const project = useProjects().data?.find(({ id }) => agent.project_ids.includes(id));
  if (!project) return null;
  const command = [
    `curl ${api.address(sendMessage.path)}`,
    `-H "Authorization: Bearer ${token}"`,
    `-H "Content-Type: application/json"`,
    `-d '${JSON.stringify({ project_id: project.id, body: "Hello" })}'`,
  ];
  return (
    <section className="mt-1 flex flex-col gap-1.5">
      <p className="text-sm text-text-2 wrap-anywhere">{t("tokenExampleLead", { project: project.name, name: agent.username })}</p>
      <CodeBlock label={t("tokenExample")} text={command.join(" \\\n  ")} wrap />
    </section>
  );
}
