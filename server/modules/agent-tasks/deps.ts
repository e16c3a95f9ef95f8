/** What the agent tasks need of other modules. */
import type { Actor } from "../../access/access.ts";
import type { Db } from "../../db/schema.ts";
import type { ConversationServices } from "../conversation/services.ts";
import type { DeliveryRulesService } from "../delivery-rules/delivery-rules.ts";
import type { FilesDeps } from "../files/deps.ts";
import type { StatusServices } from "../statuses/services.ts";
import type { TaskServices } from "../tasks/services.ts";

/** How tasks see the accounts of agents. */
export interface AgentAccounts {
  /** Returns the agent's id. Throws a 404 unless the actor sees the agent. */
  loadVisible(db: Db, actor: Actor, agentId: number): Promise<number>;
  isAgent(db: Db, accountId: number): Promise<boolean>;
  /** Returns the agent as the one who acts in a run; null if it is deleted or disabled. */
  loadActor(db: Db, agentId: number, runId: number | null): Promise<{ actor: Actor; isPaused: boolean } | null>;
}

export interface AgentTaskDeps extends FilesDeps {
  agents: AgentAccounts;
}

/** The services that carry out the steps of a task, as a person's requests do. */
export type StepServices = Pick<ConversationServices, "chat" | "comments"> &
  Pick<TaskServices, "tasks"> &
  Pick<StatusServices, "fileStatuses"> & { deliveryRules: DeliveryRulesService };

/** The kind of the jobs that execute runs. */
export const RUN_JOB = "agent.run";
