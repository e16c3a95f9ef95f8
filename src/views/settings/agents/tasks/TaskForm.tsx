import type { Agent } from "../../../../../contract/agent-records.ts";
import {
  ACTIONS_WITH_MODEL,
  AGENT_TASK_ACTIONS,
  type AgentTask,
  type AgentTaskAction,
  type AgentTaskTrigger,
  type RuleStep,
} from "../../../../../contract/agent-task-records.ts";
import { APPROVED_MIX_TASK } from "../../../../../contract/approved-mix-task.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import type { Operation } from "../../../../../contract/define-operation.ts";
import { createAgentTask, updateAgentTask } from "../../../../../contract/operations/agent-tasks.ts";
import { chatHistory, sendMessage } from "../../../../../contract/operations/chat.ts";
import { writeComment } from "../../../../../contract/operations/comments.ts";
import { checkDelivery } from "../../../../../contract/operations/delivery-rules.ts";
import { searchKnowledgeBase } from "../../../../../contract/operations/knowledge.ts";
import { setFileStatus } from "../../../../../contract/operations/files.ts";
import { createTasks } from "../../../../../contract/operations/tasks.ts";
import type { FileStatus, Project } from "../../../../../contract/records.ts";
import { cleanName } from "../../../../../contract/text.ts";
import { FormDialog } from "../../../../components/FormDialog.tsx";
import { useForm } from "../../../../components/use-form.ts";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { t as tCommon } from "../../../../lib/texts/common.ts";
import { useCreateAgentTask, useHasModel, useUpdateAgentTask } from "../../../../queries/agents/agent-tasks.ts";
import { useHasFeature } from "../../../../queries/service.ts";
import { useStatuses } from "../../../../queries/statuses/use-statuses.ts";
import { announce } from "../../../../ui/announce.ts";
import { TextField } from "../../../../ui/Field.tsx";
import { Notice } from "../../../../ui/Notice.tsx";
import { Select } from "../../../../ui/Select.tsx";
import { describeAgentScope } from "../agent-scopes.ts";
import { triggerOf } from "./describe-task.ts";
import { FileSelect } from "./FileSelect.tsx";
import { PromptFields } from "./PromptFields.tsx";
import { StepFields } from "./StepFields.tsx";
import { TriggerFields } from "./TriggerFields.tsx";

const EMPTY_STEP: RuleStep = { type: "post_message", text: "" };
const NEW_TRIGGER: Extract<AgentTaskTrigger, { type: "event" }> = {
  type: "event",
  event: "file.status_changed",
  status_id: null,
  file_kind: null,
  name_pattern: null,
};
const ACTION_TEXTS = { rule: "ruleAction", check_delivery: "checkAction", summarize: "summarizeAction", answer: "answerAction" } as const;
const RESULT_OPTIONS = [
  ["message", t("resultMessage")],
  ["comment", t("resultComment")],
] as const;

interface TaskFormProps {
  agent: Agent;
  /** The projects that the agent is in. */
  projects: readonly Project[];
  /** Null creates a new task. */
  task: AgentTask | null;
  /** What a new task begins with; null: nothing. */
  template: "approved" | null;
  onClose(): void;
}

interface Values {
  name: string;
  project_id: number;
  action: AgentTaskAction;
  trigger: AgentTaskTrigger;
  file_id: number | null;
  steps: RuleStep[];
  result: "message" | "comment";
  prompt: string | null;
  since_hours: number | null;
}

function initialValues(projects: readonly Project[], task: AgentTask | null, template: TaskFormProps["template"]): Values {
  if (task) {
    const { name, project_id, file_id } = task;
    const action = AGENT_TASK_ACTIONS.find((one) => one === task.action) ?? "rule";
    return {
      name,
      project_id,
      action,
      file_id,
      trigger: triggerOf(task),
      steps: task.steps as unknown as RuleStep[],
      result: task.result === "comment" ? "comment" : "message",
      prompt: task.prompt,
      since_hours: task.since_hours,
    };
  }
  const base = { project_id: projects[0]!.id, action: "rule" as const, file_id: null, result: "message" as const, prompt: null, since_hours: null };
  if (template === null) return { ...base, name: "", trigger: NEW_TRIGGER, steps: [EMPTY_STEP] };
  return { ...base, name: APPROVED_MIX_TASK.name, trigger: withoutStatus({ ...NEW_TRIGGER, file_kind: "audio" }), steps: [...APPROVED_MIX_TASK.steps] };
}

/** Creates or changes a task of an agent. */
export function TaskForm({ agent, projects, task, template, onClose }: TaskFormProps) {
  const create = useCreateAgentTask(agent.id);
  const update = useUpdateAgentTask();
  // A task keeps its project and its action.
  const change = ({ project_id: _project, action: _action, ...content }: Values) => update.mutateAsync({ id: task!.id, ...content });
  const save = task ? { ...update, mutateAsync: change } : create;
  const form = useForm(save, (task ? updateAgentTask : createAgentTask).body, initialValues(projects, task, template));
  const { name, project_id: projectId, action, trigger, file_id: fileId, steps, result, prompt, since_hours } = form.values;
  const project = projects.find(({ id }) => id === projectId);
  const statuses = useStatuses(project?.team_id ?? 0, project !== undefined).data ?? [];
  const hasModel = useHasModel();
  const hasDeliveryRules = useHasFeature("delivery-rules");
  const shownTrigger = template && trigger.type === "event" && trigger.status_id === undefined ? withApproved(trigger, statuses) : trigger;
  const isEvent = trigger.type === "event";
  const body = {
    name: cleanName(name),
    project_id: projectId,
    action,
    trigger: shownTrigger,
    file_id: fileId,
    result,
    prompt: action === "rule" ? null : prompt,
    since_hours: action === "summarize" ? since_hours : null,
    steps: action === "rule" ? steps : [],
  };
  const missingScopes = findMissingScopes(agent.scopes, action === "rule" ? steps.map(({ type }) => type) : [action, `post_${result}`]);
  const isOffered = (one: AgentTaskAction) => one === "rule" || one === action || (one === "check_delivery" ? hasDeliveryRules : hasModel);
  const actions = AGENT_TASK_ACTIONS.filter(isOffered);
  return (
    <FormDialog
      title={task ? t("editTitle", { name: task.name }) : t("newTask")}
      width="lg"
      form={form}
      body={body}
      onDone={(saved) => {
        announce(t("saved", { name: saved.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={task ? tCommon("save") : t("create")}
    >
      <TextField {...form.field("name", t("name"))} autoComplete="off" autoFocus required maxLength={LIMITS.agent_task_name_characters} />
      <div className="grid gap-4 tablet:grid-cols-2">
        <Select
          {...form.field("project_id", t("project"))}
          options={(project ? projects : []).map((one) => [one.id, one.name])}
          disabled={task !== null}
          hint={task ? t("projectFixed") : undefined}
          onChange={(id) => form.setValues({ project_id: id, file_id: null, trigger: withoutStatus(trigger) })}
        />
        <Select
          {...form.field("action", t("action"))}
          options={actions.map((one) => [one, t(ACTION_TEXTS[one])])}
          hint={ACTIONS_WITH_MODEL.includes(action) ? t("modelHint") : undefined}
          disabled={task !== null}
        />
      </div>
      <TriggerFields
        trigger={shownTrigger}
        statuses={statuses}
        errorOf={form.errorOf}
        onChange={(next) => form.setValues({ trigger: next, ...(next.type === "event" ? { file_id: null } : {}) })}
      />
      {!isEvent && (
        <FileSelect projectId={projectId} value={fileId} onChange={(id) => form.setValues({ file_id: id })} error={form.errorOf("file_id", t("file"))} />
      )}
      {action === "rule" ? (
        <StepFields projectId={projectId} statuses={statuses} steps={steps} errorOf={form.errorOf} onChange={(next) => form.setValues({ steps: next })} />
      ) : (
        <>
          <PromptFields
            action={action}
            hasModel={hasModel}
            prompt={prompt}
            sinceHours={since_hours}
            errorOf={form.errorOf}
            onChange={(changes) => form.setValues(changes)}
          />
          <Select {...form.field("result", t("result"))} options={RESULT_OPTIONS} />
        </>
      )}
      {missingScopes.length > 0 && (
        <Notice tone="info" title={t("missingScopes", { name: agent.username })}>
          {t("missingScopesHelp", { scopes: missingScopes.map((scope) => `“${describeAgentScope(scope, []).label}”`).join(", ") })}
        </Notice>
      )}
    </FormDialog>
  );
}

/** The operation of each kind of step, whose scopes the agent needs. */
const STEP_OPERATIONS: Record<RuleStep["type"] | Exclude<AgentTaskAction, "rule">, Pick<Operation, "scope" | "furtherScopes">> = {
  post_message: sendMessage,
  post_comment: writeComment,
  create_task: createTasks,
  set_status: setFileStatus,
  check_delivery: checkDelivery,
  summarize: chatHistory,
  answer: searchKnowledgeBase,
};

/** Returns the scopes that these steps need and the agent lacks. */
function findMissingScopes(scopes: readonly string[], steps: readonly (keyof typeof STEP_OPERATIONS)[]): string[] {
  const needed = steps.flatMap((step) => [STEP_OPERATIONS[step].scope, ...(STEP_OPERATIONS[step].furtherScopes ?? [])]);
  return [...new Set(needed)].filter((scope) => scope !== null && !scopes.includes(scope)) as string[];
}

/** Removes the status, which another team does not have; unlike null, nobody has chosen "any". */
const withoutStatus = (trigger: AgentTaskTrigger): AgentTaskTrigger => (trigger.type === "event" ? { ...trigger, status_id: undefined } : trigger);

/** Narrows the template's trigger to the team's status for approved files, if it has one of that name. */
function withApproved(trigger: Extract<AgentTaskTrigger, { type: "event" }>, statuses: readonly FileStatus[]): AgentTaskTrigger {
  const approved = statuses.find(({ title }) => title === APPROVED_MIX_TASK.status);
  return approved ? { ...trigger, status_id: approved.id } : trigger;
}
