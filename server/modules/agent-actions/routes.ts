/** Routes of the log of what agents did. */
import * as operations from "../../../contract/operations/agent-actions.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { AgentActions } from "./agent-actions.ts";
import { presentAction } from "./presenter.ts";

export function registerAgentActionRoutes(route: Route, agentActions: AgentActions): void {
  route(operations.listAgentActions, async ({ actor, params, query }) => {
    const { after, limit } = parsePage(query);
    const filter = { runId: query.run_id ?? null, projectId: query.project_id ?? null };
    const { actions, next } = await agentActions.list(actor, params.agent_id, filter, after, limit);
    return list(
      actions.map((action) => presentAction(actor, action)),
      { next_cursor: encodeCursor(next) },
    );
  });
  route(operations.undoAgentAction, async ({ actor, params }) =>
    single("agent_action", presentAction(actor, await agentActions.undo(actor, params.agent_id, params.action_id))),
  );
  route(operations.undoAgentRun, async ({ actor, params }) => {
    const results = await agentActions.undoRun(actor, params.agent_id, params.run_id);
    return single("undo_report", {
      object: "undo_report",
      undone_count: results.filter(({ denial }) => denial === null).length,
      results: results.map(({ id, denial }) => ({ action_id: id, undone: denial === null, denial })),
    });
  });
}
