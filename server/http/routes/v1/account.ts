import * as accounts from "../../../../contract/operations/accounts.ts";
import { presentAccount } from "../../../presenters/records.ts";
import { record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function accountRoutes(route: Route, services: Services): void {
  route(accounts.getAccount, async ({ actor, body }) => record("account", presentAccount(await services.members.get(actor, body?.account_id))));
}
