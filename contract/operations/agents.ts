/** Agents: accounts of programs, with what they may do and their tokens. */
import * as z from "zod/mini";
import { apiToken } from "../access-records.ts";
import { agent, AGENT_ROLES, AGENT_SCOPES } from "../agent-records.ts";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { dateTime, id, idInPath, line, text, username, withDescription } from "../text.ts";

const params = z.object({ agent_id: idInPath });
const scopes = withDescription(
  z.array(z.enum(AGENT_SCOPES)).check(z.minLength(1, "must include at least one scope")),
  "what it may do through the API, within its role and its projects",
);
const userInfo = withDescription(text(500), "what the agent does");

/** Only a person at a browser manages agents: no token creates another way in. */
const manage = { group: "Agents", source: "extension", scope: "session", rule: "agent.manage" } as const;
const read = { method: "GET", group: "Agents", source: "extension", scope: "account:read", rule: "agent.read" } as const;
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
    user_info: z.optional(userInfo),
    role: z.enum(AGENT_ROLES),
    scopes,
    project_ids: z.optional(withDescription(z.array(id).check(z.maxLength(LIMITS.agent_projects)), "projects that it joins")),
  }),
  response: single("agent", agent),
  idempotent: true,
  errors: { 409: `The name is taken, or the organization has ${LIMITS.agents} agents.` },
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
    user_info: z.optional(userInfo),
    role: z.optional(z.enum(AGENT_ROLES)),
    scopes: z.optional(scopes),
    paused: withDescription(z.optional(z.boolean()), "while it is paused, its tokens are refused and its tasks wait"),
  }),
  response: single("agent", agent),
  errors: { 409: "The name is taken." },
});
export const deleteAgent = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/agents/{agent_id}",
  summary: "Delete an agent for good: its tokens and tasks end; what it wrote stays, with its name",
  params,
  response: null,
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
  errors: { 409: `The agent has ${LIMITS.agent_tokens} tokens.` },
});
export const revokeAgentToken = operation({
  ...manage,
  method: "DELETE",
  path: "/api/v2/agents/{agent_id}/tokens/{token_id}",
  summary: "Revoke a token of an agent at once",
  params: z.object({ ...params.shape, token_id: idInPath }),
  response: null,
});
