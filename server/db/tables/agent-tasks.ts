/** Tables of agent tasks and their runs. */
import type { Generated } from "kysely";
import type { AgentRunState, AgentTaskAction, AgentTaskState, AgentTaskTrigger } from "../../../contract/agent-task-records.ts";

export interface AgentTaskTables {
  agent_tasks: {
    id: Generated<number>;
    agent_id: number;
    project_id: number;
    file_id: number | null;
    name: string;
    action: AgentTaskAction;
    trigger_type: AgentTaskTrigger["type"];
    /** JSON: the trigger of the contract. */
    trigger_data: string;
    /** JSON list of the contract's rule steps. */
    steps: string;
    result: "message" | "comment";
    prompt: string | null;
    since_hours: number | null;
    state: AgentTaskState;
    /** Null unless the clock starts the task next. */
    next_run_at: number | null;
    created_by: number;
    created_at: number;
    updated_at: number;
    revision: Generated<number>;
  };
  /** While a run waits or runs, a job of the kind `agent.run` or `agent.model_run` has its id. */
  agent_task_runs: {
    id: Generated<number>;
    task_id: number;
    state: AgentRunState;
    started_by: AgentTaskTrigger["type"];
    started_by_account_id: number | null;
    file_id: number | null;
    /** Steps that a later attempt skips. */
    steps_done: Generated<number>;
    prompt: string | null;
    waiting_for: string | null;
    created_at: number;
    started_at: number | null;
    finished_at: number | null;
    /** JSON lists as in the contract. */
    log: Generated<string>;
    results: Generated<string>;
    error: string | null;
  };
}
