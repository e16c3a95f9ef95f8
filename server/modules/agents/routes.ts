/** Routes of agents and their tokens. */
import * as operations from "../../../contract/operations/agents.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { presentToken } from "../accounts/presenter.ts";
import { type AgentRecord, presentAgent } from "./presenter.ts";
import type { AgentServices } from "./services.ts";

export function registerAgentRoutes(route: Route, { agents, agentTokens }: AgentServices, publicUrl: string): void {
  const respond = (record: AgentRecord) => single("agent", presentAgent(record, publicUrl));
  route(operations.listAgents, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await agents.list(actor, after, limit);
    return list(
      page.agents.map((record) => presentAgent(record, publicUrl)),
      { next_cursor: encodeCursor(page.next) },
    );
  });
  route(operations.createAgent, async ({ actor, body, idempotencyKey }) => {
    const { username, user_info: userInfo = "", role, scopes, project_ids: projectIds = [] } = body;
    return respond(await agents.create(actor, { username, userInfo, role, scopes, projectIds }, idempotencyKey));
  });
  route(operations.getAgent, async ({ actor, params }) => respond(await agents.get(actor, params.agent_id)));
  route(operations.updateAgent, async ({ actor, params, body }) => {
    const { username, user_info: userInfo, role, scopes, paused } = body;
    return respond(await agents.update(actor, params.agent_id, { username, userInfo, role, scopes, paused }));
  });
  route(operations.deleteAgent, ({ actor, params }) => agents.remove(actor, params.agent_id).then(() => undefined));

  route(operations.listAgentTokens, async ({ actor, params }) => list((await agentTokens.list(actor, params.agent_id)).map(presentToken)));
  route(operations.createAgentToken, async ({ actor, params, body, idempotencyKey }) => {
    const expiresAt = body.expires_at ? Date.parse(body.expires_at) : null;
    const input = { name: body.name, scopes: body.scopes, expiresAt };
    const { row, token } = await agentTokens.create(actor, params.agent_id, input, idempotencyKey);
    return single("api_token", { ...presentToken(row), ...(token === null ? {} : { token }) });
  });
  route(operations.revokeAgentToken, ({ actor, params }) => agentTokens.revoke(actor, params.agent_id, params.token_id).then(() => undefined));
}
