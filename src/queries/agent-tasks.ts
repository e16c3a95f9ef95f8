/** The cache key below which the tasks of agents and their runs are. */
export const AGENT_TASKS_KEY = ["agent-tasks"] as const;
