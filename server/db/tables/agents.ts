/** What agents may do. `accounts.is_agent` marks their accounts. */
export interface AgentTables {
  agents: { account_id: number; /** JSON list. */ scopes: string; paused_at: number | null; paused_by: number | null; created_by: number; created_at: number };
}
