import * as z from "zod/mini";
import { apiToken } from "../access-records.ts";
import { agent, agentAction, AGENT_ROLES, undoReport } from "../agent-records.ts";
import { list, operation, page, pageQuery, single, SCOPES } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { dateTime, id, idInPath, line, text, username, withDescription } from "../text.ts";

const params = z.object({ agent_id: idInPath });
const tokenParams = z.object({ ...params.shape, token_id: idInPath });
const actionParams = z.object({ ...params.shape, action_id: idInPath });

const scopes = withDescription(
  z.array(z.enum(SCOPES)).check(z.minLength(1, "must include at least one scope")),
  "What it may do through the API: no scope that only owners and admins can use",
);
const agentRole = z.enum(AGENT_ROLES);

const manage = { group: "Agents", source: "extension", scope: "session", rule: "agent.manage" } as const;
const read = { method: "GET", group: "Agents", source: "extension", scope: "account:read", rule: "agent.read" } as const;
/** Deliveries and the log show names of files and the beginnings of texts. */
const READS_EVERYTHING = ["chat:read", "files:read"] as const;

export const listAgents = operation({
  ...read,
  path: "/api/v2/agents",
  summary: "The agents that you see, oldest first",
  cost: 2,
  query: pageQuery,
  response: page(agent),
});
export const createAgent = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/agents",
  summary: "Create an agent: an account for a program, which acts with tokens and never signs in",
  // Its name is compared with all names of the organization.
  cost: 10,
  body: z.object({
    username,
    user_info: z.optional(withDescription(text(500), "what the agent does")),
    role: agentRole,
    scopes,
    project_ids: z.optional(withDescription(z.array(id).check(z.maxLength(LIMITS.agent_subscription_projects)), "projects that it joins")),
  }),
  response: single("agent", agent),
  idempotent: true,
  errors: { 404: "A project does not exist.", 409: "The name is taken, or the organization has as many agents as it can have." },
});
export const getAgent = operation({
  ...read,
  path: "/api/v2/agents/{agent_id}",
  summary: "Get an agent: what it may do, and whether it is paused",
  params,
  response: single("agent", agent),
});
export const updateAgent = operation({
  ...manage,
  method: "PATCH",
  path: "/api/v2/agents/{agent_id}",
  summary: "Change an agent, pause it or let it go on; fewer scopes apply to its tokens at once",
  cost: 10,
  params,
  body: z.object({
    username: z.optional(username),
    user_info: z.optional(text(500)),
    role: z.optional(agentRole),
    scopes: z.optional(scopes),
    paused: z.optional(z.boolean()),
  }),
  response: single("agent", agent),
  errors: { 409: "The name is taken." },
});
export const deleteAgent = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/agents/{agent_id}",
  summary: "Delete an agent: ends its tokens and subscriptions for good; what it wrote stays",
  params,
  response: null,
});
export const setAgentAvatar = operation({
  ...manage,
  method: "PUT",
  path: "/api/v2/agents/{agent_id}/avatar",
  summary: "Upload an agent's picture, as for an account of your own",
  cost: 30,
  params,
  response: single("agent", agent),
  bytes: "body",
});
export const removeAgentAvatar = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/agents/{agent_id}/avatar",
  summary: "Remove an agent's picture",
  params,
  response: single("agent", agent),
});

export const listAgentTokens = operation({
  ...manage,
  method: "GET",
  path: "/api/v2/agents/{agent_id}/tokens",
  summary: "List an agent's tokens",
  params,
  response: list(apiToken),
});
export const createAgentToken = operation({
  ...manage,
  method: "POST",
  path: "/api/v2/agents/{agent_id}/tokens",
  summary: "Create a token for an agent; it is shown this once",
  params,
  body: z.object({ name: line(80), scopes, expires_at: z.optional(z.nullable(dateTime)) }),
  response: single("api_token", apiToken),
  idempotent: true,
  errors: { 409: "The agent has as many tokens as it can have." },
});
export const revokeAgentToken = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/agents/{agent_id}/tokens/{token_id}",
  summary: "Revoke a token of an agent at once",
  params: tokenParams,
  response: null,
});

export const listAgentActions = operation({
  ...read,
  furtherScopes: READS_EVERYTHING,
  path: "/api/v2/agents/{agent_id}/actions",
  summary: "What an agent did in the projects that you see, newest first",
  cost: 2,
  params,
  query: z.object({ ...pageQuery.shape, run_id: withDescription(z.optional(idInPath), "in one run of a task"), project_id: z.optional(idInPath) }),
  response: page(agentAction),
});
export const undoAgentAction = operation({
  group: "Agents",
  source: "extension",
  // The reverse of an action needs the rule of the reverse, which a person at a browser has.
  scope: "session",
  rule: "agent.read",
  furtherRules: ["agent.manage"],
  method: "POST",
  path: "/api/v2/agents/{agent_id}/actions/{action_id}/undo",
  summary: "Undo what an agent did, if you may do the reverse and nobody has changed it since",
  params: actionParams,
  response: single("agent_action", agentAction),
  errors: { 403: "You may not do the reverse.", 409: "It cannot be undone, was undone before, or somebody has changed it since." },
});
export const undoAgentRun = operation({
  group: "Agents",
  source: "extension",
  scope: "session",
  rule: "agent.read",
  furtherRules: ["agent.manage"],
  method: "POST",
  path: "/api/v2/agents/{agent_id}/runs/{run_id}/undo",
  summary: "Undo everything that an agent did in one run of a task, the newest first, with a report for each action",
  cost: 20,
  params: z.object({ ...params.shape, run_id: idInPath }),
  response: single("undo_report", undoReport),
});
