/** Wire records of agents: accounts of programs, and the log of what they did. All of them are extensions. */
import * as z from "zod/mini";
import { account, role } from "./records.ts";
import { id, timestamp } from "./text.ts";

/** Roles that an agent can have: no agent manages the organization. */
export const AGENT_ROLES = ["member", "guest"] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/** An agent's `id` is the id of its account, which is shown like any other account, with `is_agent`. `user_info` describes what the agent does. */
export const agent = z.looseObject({
  object: z.literal("agent"),
  ...account.shape,
  role,
  /** What it may do through the API, within its role and its projects. Its tokens have at most these scopes. */
  scopes: z.array(z.string()),
  /** While an agent is paused, its tokens are refused, its tasks wait, and its webhook deliveries are held. */
  paused: z.boolean(),
  paused_at: z.nullable(timestamp),
  paused_by_account_id: z.nullable(id),
  created_by_account_id: id,
  created_at: timestamp,
  /** When it last did something. */
  last_active_at: z.nullable(timestamp),
  /** The agent's projects that the reader sees. Live events omit it. */
  project_ids: z.optional(z.array(id)),
});
export type Agent = z.infer<typeof agent>;

/** Something that an agent did. `undone_at`: when a person undid it. */
export const agentAction = z.looseObject({
  object: z.literal("agent_action"),
  id,
  agent_id: id,
  created_at: timestamp,
  /** Such as `message.created`, `file.renamed` or `task.closed` (`AGENT_ACTIONS`). Clients show `text` for those that they do not know. */
  action: z.string(),
  /** Follows the agent's name: "Renamed a file". */
  text: z.string(),
  /** `name`: the record's present name, title or the beginning of its text; null if it has none or is gone. */
  target: z.looseObject({ type: z.string(), id, name: z.nullable(z.string()), file_id: z.nullable(id) }),
  project_id: z.nullable(id),
  /** Former and new value of what was changed, such as a name or the title of a status; null where there is none to show. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** The run of a task in which the agent did it. */
  run_id: z.nullable(id),
  can_undo: z.boolean(),
  /** Why it cannot be undone, as a sentence; null if it can be, or was. */
  undo_denial: z.nullable(z.string()),
  undone_at: z.nullable(timestamp),
  undone_by_account_id: z.nullable(id),
});
export type AgentAction = z.infer<typeof agentAction>;

/** What became of each action of a run: newest first, as they were undone. `denial`: why it was not undone; null if it was. */
export const undoReport = z.looseObject({
  undone_count: z.int(),
  results: z.array(z.looseObject({ action_id: id, undone: z.boolean(), denial: z.nullable(z.string()) })),
});
export type UndoReport = z.infer<typeof undoReport>;
