/** What the agent tasks need of other modules. */
import { ACTIONS_WITH_MODEL } from "../../../contract/agent-task-records.ts";
import type { Row } from "../../db/schema.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { ConversationServices } from "../conversation/services.ts";
import type { DeliveryRulesService } from "../delivery-rules/delivery-rules.ts";
import type { FilesDeps } from "../files/deps.ts";
import type { KnowledgeSearch } from "../knowledge/knowledge-search.ts";
import type { StatusServices } from "../statuses/services.ts";
import type { TaskServices } from "../tasks/services.ts";

export interface AgentTaskDeps extends FilesDeps {
  /** null: the operator has configured none. */
  model: ChatModel | null;
}

/** The services that carry out the steps of a task, as a person's requests do. */
export type StepServices = Pick<ConversationServices, "chat" | "comments"> &
  Pick<TaskServices, "tasks"> &
  Pick<StatusServices, "fileStatuses"> & { deliveryRules: DeliveryRulesService; knowledge: KnowledgeSearch };

/** The kinds of the jobs that execute runs: those that may ask a model have a worker of their own, so that others do not wait for it. */
export const RUN_JOB = "agent.run";
export const MODEL_RUN_JOB = "agent.model_run";

type ModelUse = Pick<Row<"agent_tasks">, "action" | "prompt">;
/** The task does nothing without a model. */
export const needsModel = ({ action }: ModelUse): boolean => ACTIONS_WITH_MODEL.includes(action);
const usesModel = (task: ModelUse): boolean => needsModel(task) || task.prompt !== null;
export const jobKindOf = (task: ModelUse): string => (usesModel(task) ? MODEL_RUN_JOB : RUN_JOB);
