/** Cache keys of agents. They are apart from the queries, because the live channel, which every page loads, needs only them. */

/** The key of the list of agents. */
export const AGENTS_KEY = ["agents"] as const;

/** The cache key below which the tasks of agents and their runs are. */
export const AGENT_TASKS_KEY = ["agent-tasks"] as const;

/** The cache key below which event subscriptions and their deliveries are. */
export const AGENT_SUBSCRIPTIONS_KEY = ["agent-subscriptions"] as const;

/** The cache key below which the logs of what agents did are. */
export const AGENT_ACTIONS_KEY = ["agent-actions"] as const;
