/** Tables of the event subscriptions of agents, which are themselves rows of `webhook_endpoints`. */
export interface AgentSubscriptionTables {
  /** Each subscription has read the topic of a project up to `seq`. */
  agent_subscription_cursors: { endpoint_id: number; project_id: number; topic: string; seq: number };
}
