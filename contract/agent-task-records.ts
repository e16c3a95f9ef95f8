/** Wire records of agent tasks, which an agent account runs at a time, by a schedule, after an event or by hand, and of their runs. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { dateTime, id, line, text, timestamp, withDescription } from "./text.ts";

/**
 * What a task does. A `rule` carries out its steps, `check_delivery` compares a file with the team's delivery rules; neither needs a model. `summarize` sums up
 * the project's chat, and `answer` answers a question from the project's documents; both need a model.
 */
export const AGENT_TASK_ACTIONS = ["rule", "check_delivery", "summarize", "answer"] as const;
export type AgentTaskAction = (typeof AGENT_TASK_ACTIONS)[number];

/** What `GET /api/v2/service` lists in `features` if the operator has configured a model. */
export const MODEL_FEATURE = "agent-model";
export const ACTIONS_WITH_MODEL: readonly AgentTaskAction[] = ["summarize", "answer"];

export const AGENT_TASK_STATES = ["active", "paused", "done"] as const;
export const AGENT_RUN_STATES = ["waiting", "running", "succeeded", "failed", "canceled"] as const;
export type AgentTaskState = (typeof AGENT_TASK_STATES)[number];
export type AgentRunState = (typeof AGENT_RUN_STATES)[number];

/** The events that can start a task. `file.uploaded`: a new file; `file.version_added`: a new version of one. */
export const TASK_EVENTS = ["file.status_changed", "file.uploaded", "file.version_added"] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

/** What starts a task. */
export const agentTaskTrigger = z.discriminatedUnion("type", [
  z.object({ type: z.literal("manual") }),
  z.object({ type: z.literal("at"), time: dateTime }),
  z.object({
    type: z.literal("schedule"),
    cron: withDescription(line(LIMITS.cron_characters), "minute, hour, day of the month, month, day of the week: 0 9 * * 1-5. At most every 15 minutes"),
    time_zone: withDescription(line(LIMITS.time_zone_characters), "a name in the IANA database: Europe/Berlin"),
  }),
  z.object({
    type: z.literal("event"),
    event: z.enum(TASK_EVENTS),
    status_id: withDescription(z.optional(z.nullable(id)), "of file.status_changed: the new status; null or left out: any"),
    file_kind: withDescription(z.optional(z.nullable(z.enum(["audio", "video", "image", "document"]))), "null or left out: any"),
    name_pattern: withDescription(
      z.optional(z.nullable(line(LIMITS.name_pattern_characters))),
      "the file's name without its extension, whatever the case: * stands for any text, ? for one character",
    ),
  }),
]);
export type AgentTaskTrigger = z.infer<typeof agentTaskTrigger>;

/** What may stand in the texts of a rule. What is not known becomes "unknown". */
export const RULE_PLACEHOLDERS = [
  "file",
  "version",
  "link",
  "project",
  "status",
  "person",
  "loudness",
  "true_peak",
  "duration",
  "sample_rate",
  "bit_depth",
  "channels",
  "format",
  "delivery",
] as const;
export type RulePlaceholder = (typeof RULE_PLACEHOLDERS)[number];

const PLACEHOLDERS_HELP = `may contain ${RULE_PLACEHOLDERS.map((name) => `{${name}}`).join(" ")}`;
const ruleText = withDescription(text(LIMITS.rule_text_characters, 1), PLACEHOLDERS_HELP);
/** One step of a rule. All but messages need the file that the run is about. */
export const ruleStep = z.discriminatedUnion("type", [
  z.object({ type: z.literal("post_message"), text: ruleText }),
  z.object({ type: z.literal("post_comment"), text: ruleText }),
  z.object({
    type: z.literal("create_task"),
    title: withDescription(line(LIMITS.task_title_characters), PLACEHOLDERS_HELP),
    assignee_account_id: withDescription(z.optional(z.nullable(id)), "somebody who sees the project"),
    due_in_days: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(365)))),
  }),
  z.object({ type: z.literal("set_status"), status_id: id }),
]);
export type RuleStep = z.infer<typeof ruleStep>;
export const ruleSteps = z.array(ruleStep).check(z.maxLength(LIMITS.rule_steps));

/** Where the result of an action other than a rule goes: into the project's chat, or as a comment on the file. */
export const agentTaskResult = z.enum(["message", "comment"]);

export const agentTask = z.looseObject({
  object: z.literal("agent_task"),
  id,
  /** The account that acts. */
  agent_id: id,
  project_id: id,
  /** The file that the task is about; null: the one of the event, or none. */
  file_id: z.nullable(id),
  name: z.string(),
  action: z.string(),
  trigger: z.looseObject({ type: z.string() }),
  /** The steps of a rule; empty for other actions. */
  steps: z.array(z.looseObject({ type: z.string() })),
  result: z.string(),
  /** What a person asks the model for: the question of `answer`, what matters to whoever reads a summary, or how to introduce a check. */
  prompt: z.nullable(z.string()),
  /** How far back a summary reaches; null: to the task's previous run that succeeded, or for a day. */
  since_hours: z.nullable(z.int()),
  /** `done`: the time of the trigger `at` has come. */
  state: z.string(),
  next_run_at: z.nullable(timestamp),
  last_run: z.nullable(z.looseObject({ id, state: z.string(), created_at: timestamp, finished_at: z.nullable(timestamp) })),
  created_by_account_id: id,
  created_at: timestamp,
  updated_at: timestamp,
  revision: z.int(),
});

/** One line of a run's log. */
export const agentRunLogEntry = z.looseObject({ time: timestamp, text: z.string() });

/** One record that a run created or changed: a message, comment, task or file (its status). */
export const agentRunResult = z.looseObject({ type: z.string(), id, project_id: id, file_id: z.nullable(id) });

export const agentTaskRun = z.looseObject({
  object: z.literal("agent_task_run"),
  id,
  task_id: id,
  agent_id: id,
  project_id: id,
  state: withDescription(z.string(), AGENT_RUN_STATES.join(", ")),
  /** What started it: a type of trigger. */
  started_by: z.string(),
  /** Who started it, or caused the event; null: the clock. */
  started_by_account_id: z.nullable(id),
  /** The file that the run is about. */
  file_id: z.nullable(id),
  /** The question of this run; null: the one of the task. */
  prompt: z.nullable(z.string()),
  /** Why the run waits, such as for the analysis of the file; null unless it does. */
  waiting_for: z.nullable(z.string()),
  created_at: timestamp,
  started_at: z.nullable(timestamp),
  finished_at: z.nullable(timestamp),
  log: z.array(agentRunLogEntry),
  results: z.array(agentRunResult),
  /** As a sentence; null unless it failed. */
  error: z.nullable(z.string()),
});

export type AgentTask = z.infer<typeof agentTask>;
export type AgentTaskRun = z.infer<typeof agentTaskRun>;
export type AgentRunLogEntry = z.infer<typeof agentRunLogEntry>;
export type AgentRunResult = z.infer<typeof agentRunResult>;

export const agentPrompt = text(LIMITS.agent_prompt_characters, 1);
export const agentTaskName = line(LIMITS.agent_task_name_characters);
