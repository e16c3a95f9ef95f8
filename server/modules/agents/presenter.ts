import type { Agent } from "../../../contract/agent-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";
import { presentAccount } from "../accounts/presenter.ts";

export interface AgentRecord {
  account: Row<"accounts">;
  agent: Row<"agents">;
  /** Those of its projects that the reader sees. */
  projectIds: number[];
}

export const parseAgentScopes = ({ scopes }: Pick<Row<"agents">, "scopes">): Scope[] => JSON.parse(scopes) as Scope[];

export const presentAgent = ({ account, agent, projectIds }: AgentRecord, publicUrl: string): Agent => ({
  object: "agent",
  ...presentAccount(account, publicUrl),
  role: account.role,
  scopes: parseAgentScopes(agent),
  paused: agent.paused_at !== null,
  paused_at: isoOrNull(agent.paused_at),
  paused_by_account_id: agent.paused_by,
  created_by_account_id: agent.created_by,
  created_at: iso(agent.created_at),
  last_active_at: isoOrNull(account.last_seen_at),
  project_ids: projectIds,
});
