import * as accounts from "../../../../contract/operations/accounts.ts";
import { presentToken } from "../../../presenters/records.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function apiTokenRoutes(serve: Serve, services: Services): void {
  serve(accounts.listTokens, async ({ actor }) => list((await services.tokens.list(actor)).map(presentToken)));
  serve(accounts.createToken, async ({ actor, body, repeat }) => {
    const expiresAt = body.expires_at ? Date.parse(body.expires_at) : null;
    const { row, token } = await services.tokens.create(actor, { name: body.name, scopes: body.scopes, expiresAt }, repeat);
    return one("api_token", { ...presentToken(row), ...(token === null ? {} : { token }) });
  });
  serve(accounts.revokeToken, ({ actor, params }) => services.tokens.revoke(actor, params.token_id).then(() => undefined));
}
