import { AGENT_SCOPES } from "../../../../contract/agent-records.ts";
import type { Scope } from "../../../../contract/define-operation.ts";
import type { ScopeDescription } from "../../../components/scope-labels.ts";
import { t } from "../../../lib/texts/agents.ts";

type AgentScope = (typeof AGENT_SCOPES)[number];

/** What each scope allows an agent, and the scope without which it allows less. */
const DESCRIPTIONS: Partial<Record<Scope, { label: string; limit?: string; liftedBy?: Scope }>> = {
  "account:read": { label: t("accountRead") },
  "account:write": { label: t("accountWrite"), limit: t("accountWriteLimit"), liftedBy: "account:read" },
  "chat:read": { label: t("chatRead"), limit: t("chatReadLimit"), liftedBy: "chat:write" },
  "chat:write": { label: t("chatWrite"), limit: t("chatWriteLimit"), liftedBy: "chat:read" },
  "files:read": { label: t("filesRead"), limit: t("filesReadLimit"), liftedBy: "files:write" },
  "files:write": { label: t("filesWrite"), limit: t("filesWriteLimit"), liftedBy: "files:read" },
};

/** Describes what a scope allows an agent together with its others. A scope that this client does not know is shown by its name. */
export function describeAgentScope(scope: string, scopes: readonly string[]): Pick<ScopeDescription, "label" | "limit" | "roleLimit"> {
  const { label = scope, limit = "", liftedBy } = DESCRIPTIONS[scope as AgentScope] ?? {};
  return { label, limit: liftedBy && scopes.includes(liftedBy) ? "" : limit, roleLimit: "" };
}
