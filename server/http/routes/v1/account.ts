import * as accounts from "../../../../contract/operations/accounts.ts";
import { presentAccount } from "../../../presenters/records.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function accountRoutes(serve: Serve, services: Services): void {
  serve(accounts.getAccount, async ({ actor, body }) => one("account", presentAccount(await services.members.get(actor, body?.account_id))));
}
