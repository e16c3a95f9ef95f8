/** The log of what agents did. */
import type { Generated } from "kysely";

export interface AgentActionTables {
  agent_actions: {
    id: Generated<number>;
    agent_id: number;
    /** The run of a task; runs are deleted earlier. */
    run_id: number | null;
    /** null: the whole organization. */
    project_id: number | null;
    action: string;
    target_type: string;
    target_id: number;
    file_id: number | null;
    /** JSON: the values of the record that an undo compares and restores, without texts of messages and comments; null: none are known. */
    state_before: string | null;
    state_after: string | null;
    created_at: number;
    undone_at: number | null;
    undone_by: number | null;
  };
}
