/**
 * Carries out the steps of a run as its agent: with its scopes, through the services that people's requests use. Every step can be repeated: whatever an
 * earlier attempt has written under the step's key is found again.
 */
import type { AgentRunResult, AgentTaskAction, RuleStep } from "../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { sendMessage } from "../../../contract/operations/chat.ts";
import { writeComment } from "../../../contract/operations/comments.ts";
import { checkDelivery } from "../../../contract/operations/delivery-rules.ts";
import { setFileStatus } from "../../../contract/operations/files.ts";
import { createTasks } from "../../../contract/operations/tasks.ts";
import type { Row } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict } from "../../lib/errors.ts";
import { findCommentByClientId } from "../conversation/comment-repository.ts";
import { findMessageByClientId } from "../conversation/message-repository.ts";
import type { AgentTaskDeps, StepServices } from "./deps.ts";
import { describeDelivery, type FileFacts, needsAnalysis, needsDelivery, renderText, summarizeDelivery } from "./facts.ts";
import { cutText } from "./models/harmless-text.ts";
import { createModelTexts } from "./models/model-texts.ts";
import { parseSteps } from "./presenter.ts";
import { assertScopes } from "./scopes.ts";
import type { StepContext } from "./step-context.ts";

/** `text`: for the log of the run. */
export interface StepOutcome {
  text: string;
  result: AgentRunResult | null;
}
interface ComposedStep {
  type: Exclude<AgentTaskAction, "rule">;
  result: Row<"agent_tasks">["result"];
}
export type Step = RuleStep | ComposedStep;
/** Returns the text to write; null: nothing. */
type LazyText = () => Promise<string | null>;

/** Returns what a run of the task does, in order. */
export const stepsOf = (task: Pick<Row<"agent_tasks">, "action" | "steps" | "result">): Step[] =>
  task.action === "rule" ? parseSteps(task) : [{ type: task.action, result: task.result }];

const NOTHING: StepOutcome = { text: "Posted nothing.", result: null };

const textsOf = (step: Step): string[] => ("text" in step ? [step.text] : "title" in step ? [step.title] : []);
export const stepNeedsFile = (step: Step): boolean =>
  step.type === "summarize" || step.type === "answer" ? step.result === "comment" : step.type !== "post_message";
export const stepNeedsAnalysis = (step: Step): boolean => step.type === "check_delivery" || textsOf(step).some(needsAnalysis);

export function createSteps({ database, ...services }: Pick<AgentTaskDeps, "database" | "publicUrl" | "model"> & StepServices) {
  const modelTexts = createModelTexts({ database, ...services });
  const fileOf = ({ about }: StepContext): FileFacts => {
    if (!about) throw conflict("This step needs a file, and the run has none.");
    return about;
  };

  async function postMessage({ actor, task, about }: StepContext, key: string, loadText: LazyText): Promise<StepOutcome> {
    assertScopes(actor, sendMessage);
    const earlier = await findMessageByClientId(database.read, actor.accountId, task.project_id, key);
    const input = { projectId: task.project_id, parentId: null, clientId: key, attachmentIds: [], playlistId: null, isAudioMessage: false };
    const text = earlier ? "" : await loadText();
    if (text === null) return NOTHING;
    const id = earlier?.id ?? (await services.chat.send(actor, { ...input, body: cutText(text, LIMITS.message_characters) })).row.id;
    return { text: "Posted a message.", result: { type: "message", id, project_id: task.project_id, file_id: about?.file.id ?? null } };
  }

  async function postComment(context: StepContext, key: string, loadText: LazyText): Promise<StepOutcome> {
    const { actor, task } = context;
    const { file } = fileOf(context);
    assertScopes(actor, writeComment);
    const earlier = await findCommentByClientId(database.read, actor.accountId, file.id, key);
    const text = earlier ? "" : await loadText();
    if (text === null) return NOTHING;
    const input = {
      version: null,
      positionMs: null,
      endMs: null,
      parentId: null,
      clientId: key,
      attachmentIds: [],
      body: cutText(text, LIMITS.message_characters),
    };
    const id = earlier?.id ?? (await services.comments.write(actor, file.id, input, null)).id;
    return { text: "Wrote a comment.", result: { type: "comment", id, project_id: task.project_id, file_id: file.id } };
  }

  async function createTask(context: StepContext, key: string, step: Extract<Step, { type: "create_task" }>, title: string): Promise<StepOutcome> {
    const { actor, task, run } = context;
    const { file } = fileOf(context);
    assertScopes(actor, createTasks);
    const dueAt = typeof step.due_in_days !== "number" ? null : (Math.floor(run.created_at / DAY) + step.due_in_days) * DAY;
    const input = { title: cutText(title.replaceAll(/\s+/g, " "), LIMITS.task_title_characters), assigneeId: step.assignee_account_id ?? null, dueAt };
    const idempotencyKey = { operation: "createTasks", key, request: key };
    const view = await services.tasks.createOne(actor, { fileId: file.id }, input, idempotencyKey);
    return { text: `Created the task "${view.task.title}".`, result: { type: "task", id: view.task.id, project_id: task.project_id, file_id: file.id } };
  }

  async function setStatus(context: StepContext, key: string, statusId: number): Promise<StepOutcome> {
    const { actor, task } = context;
    const { file } = fileOf(context);
    assertScopes(actor, setFileStatus);
    const note = `${task.name} (${key})`;
    // A person may have changed the status since an earlier attempt set it.
    const earlier = await database.read
      .selectFrom("status_changes")
      .select("id")
      .where("file_id", "=", file.id)
      .where("account_id", "=", actor.accountId)
      .where("note", "=", note)
      .executeTakeFirst();
    const status = earlier ? null : (await services.fileStatuses.set(actor, file.id, { statusId, note, ifStatusId: undefined })).status;
    return {
      text: status ? `Set the status to "${status.title}".` : "Set the status.",
      result: { type: "file", id: file.id, project_id: task.project_id, file_id: file.id },
    };
  }

  async function check(context: StepContext) {
    assertScopes(context.actor, checkDelivery);
    return services.deliveryRules.check(context.actor, fileOf(context).file.id, null);
  }

  async function compose(context: StepContext, type: ComposedStep["type"]): Promise<string | null> {
    if (type === "summarize") return modelTexts.summarize(context);
    if (type === "answer") return modelTexts.answer(context);
    return modelTexts.introduce(context, describeDelivery(fileOf(context).file.name, await check(context)));
  }

  return {
    /** `key`: the same for every attempt at this step of this run. */
    async perform(context: StepContext, step: Step, key: string): Promise<StepOutcome> {
      const { about } = context;
      if ("result" in step) {
        const post = step.result === "comment" ? postComment : postMessage;
        return post(context, key, () => compose(context, step.type));
      }
      const delivery = textsOf(step).some(needsDelivery) && about ? { delivery: summarizeDelivery(await check(context)) } : {};
      const render = (text: string) => renderText(text, { ...about?.facts, ...delivery });
      if (step.type === "post_message") return postMessage(context, key, async () => render(step.text));
      if (step.type === "post_comment") return postComment(context, key, async () => render(step.text));
      if (step.type === "create_task") return createTask(context, key, step, render(step.title));
      return setStatus(context, key, step.status_id);
    },
  };
}
