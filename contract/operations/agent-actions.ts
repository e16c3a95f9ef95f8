/** The log of what agents did, and its undo. */
import * as z from "zod/mini";
import { agentAction, undoReport } from "../agent-action-records.ts";
import { operation, page, pageQuery, single } from "../define-operation.ts";
import { idInPath, withDescription } from "../text.ts";

const params = z.object({ agent_id: idInPath });
const common = { group: "Agents", source: "extension" } as const;
/** Only a person at a browser undoes: the reverse can need any scope. */
const undo = { ...common, method: "POST", scope: "session", rule: "agent_action.undo" } as const;

export const listAgentActions = operation({
  ...common,
  method: "GET",
  scope: "account:read",
  furtherScopes: ["chat:read", "files:read"],
  rule: "agent_action.read",
  path: "/api/v2/agents/{agent_id}/actions",
  summary: "What an agent did in the projects that you see, newest first",
  cost: 2,
  params,
  query: z.object({
    run_id: withDescription(z.optional(idInPath), "in one run of a task"),
    project_id: withDescription(z.optional(idInPath), "in one project"),
    ...pageQuery.shape,
  }),
  response: page(agentAction),
});
export const undoAgentAction = operation({
  ...undo,
  path: "/api/v2/agents/{agent_id}/actions/{action_id}/undo",
  summary: "Undo what an agent did; you must be allowed to do the reverse, and nobody may have changed it since",
  cost: 4,
  params: z.object({ ...params.shape, action_id: idInPath }),
  response: single("agent_action", agentAction),
  errors: { 403: "You may not do the reverse.", 409: "It cannot be undone, was undone before, or somebody has changed it since." },
});
export const undoAgentRun = operation({
  ...undo,
  path: "/api/v2/agents/{agent_id}/runs/{run_id}/undo",
  summary: "Undo what an agent did in one run of a task; newest first, as far as possible",
  cost: 20,
  params: z.object({ ...params.shape, run_id: idInPath }),
  response: single("undo_report", undoReport),
});
