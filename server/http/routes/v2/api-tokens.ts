import * as accounts from "../../../../contract/operations/accounts.ts";
import { presentToken } from "../../../presenters/records.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function apiTokenRoutes(route: Route, services: Services): void {
  route(accounts.listTokens, async ({ actor }) => list((await services.tokens.list(actor)).map(presentToken)));
  route(accounts.createToken, async ({ actor, body, idempotencyKey }) => {
    const expiresAt = body.expires_at ? Date.parse(body.expires_at) : null;
    const { row, token } = await services.tokens.create(actor, { name: body.name, scopes: body.scopes, expiresAt }, idempotencyKey);
    return record("api_token", { ...presentToken(row), ...(token === null ? {} : { token }) });
  });
  route(accounts.revokeToken, ({ actor, params }) => services.tokens.revoke(actor, params.token_id).then(() => undefined));
}
