/** Wire records of agents: the accounts of programs. All of them are extensions. */
import * as z from "zod/mini";
import { PARTICIPANT_SCOPES } from "./define-operation.ts";
import { account, role } from "./records.ts";
import { id, timestamp } from "./text.ts";

/** Roles that an agent can have: no agent manages the organization. */
export const AGENT_ROLES = ["member", "guest"] as const;
export type AgentRole = (typeof AGENT_ROLES)[number];

/** Scopes that an agent can have: those of members and guests. */
export const AGENT_SCOPES = PARTICIPANT_SCOPES;

/** An agent's `id` is the id of its account, which is shown like any other account, with `is_agent`. `user_info` describes what the agent does. */
export const agent = z.looseObject({
  object: z.literal("agent"),
  ...account.shape,
  role,
  /** What it may do through the API, within its role and its projects. Its tokens have at most these scopes. */
  scopes: z.array(z.string()),
  /** While an agent is paused, its tokens are refused and its tasks wait. */
  paused: z.boolean(),
  paused_at: z.nullable(timestamp),
  paused_by_account_id: z.nullable(id),
  created_by_account_id: id,
  created_at: timestamp,
  /** When it last used a token or ran a task. */
  last_active_at: z.nullable(timestamp),
  /** The agent's projects that the reader sees. */
  project_ids: z.array(id),
});
export type Agent = z.infer<typeof agent>;
