import * as accounts from "../../../../contract/operations/accounts.ts";
import * as teams from "../../../../contract/operations/teams.ts";
import { iso, presentAccount, presentInvite, presentMember } from "../../../presenters/records.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { encodeCursor, parsePage } from "../paging.ts";

export function peopleRoutes(route: Route, services: Services): void {
  route(accounts.listMembers, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await services.members.list(actor, after, limit);
    return list(
      page.members.map(({ account, projectIds }) => presentMember(account, projectIds)),
      { next_cursor: encodeCursor(page.next) },
    );
  });
  route(accounts.updateMember, async ({ actor, params, body }) => {
    const { account, projectIds } = await services.members.update(actor, params.account_id, body);
    return record("member", presentMember(account, projectIds));
  });
  route(accounts.createPasswordReset, async ({ actor, params }) => {
    const { url, expiresAt } = await services.members.createPasswordReset(actor, params.account_id);
    return record("password_reset", { url, expires_at: iso(expiresAt) });
  });
  route(accounts.updateAccount, async ({ actor, body }) => {
    const changes = { username: body.username, email: body.email, userInfo: body.user_info };
    return record("account", presentAccount(await services.members.updateProfile(actor, changes)));
  });
  route(accounts.changePassword, ({ actor, body }) => services.members.changePassword(actor, body.current_password, body.new_password).then(() => undefined));
  route(teams.listInvites, async ({ actor }) => list((await services.invites.list(actor)).map(presentInvite)));
  route(teams.revokeInvite, ({ actor, params }) => services.invites.revoke(actor, params.invite_id).then(() => undefined));
}
