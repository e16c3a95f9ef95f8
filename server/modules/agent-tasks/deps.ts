/** What the agent tasks need of other modules. */
import type { AgentAccounts } from "../agents/agent-accounts.ts";
import type { ConversationServices } from "../conversation/services.ts";
import type { DeliveryRulesService } from "../delivery-rules/delivery-rules.ts";
import type { FilesDeps } from "../files/deps.ts";
import type { StatusServices } from "../statuses/services.ts";
import type { TaskServices } from "../tasks/services.ts";

export interface AgentTaskDeps extends FilesDeps {
  agentAccounts: AgentAccounts;
}

/** The services that carry out the steps of a task, as a person's requests do. */
export type StepServices = Pick<ConversationServices, "chat" | "comments"> &
  Pick<TaskServices, "tasks"> &
  Pick<StatusServices, "fileStatuses"> & { deliveryRules: DeliveryRulesService };

/** The kind of the jobs that execute runs. */
export const RUN_JOB = "agent.run";
