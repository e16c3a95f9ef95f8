import * as accounts from "../../../../contract/operations/accounts.ts";
import * as teams from "../../../../contract/operations/teams.ts";
import { iso, presentAccount, presentInvite, presentMember } from "../../../presenters/records.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { cursorOf, readPage } from "../paging.ts";

export function peopleRoutes(serve: Serve, services: Services): void {
  serve(accounts.listMembers, async ({ actor, query }) => {
    const { after, limit } = readPage(query);
    const page = await services.members.list(actor, after, limit);
    return list(
      page.members.map(({ account, projectIds }) => presentMember(account, projectIds)),
      { next_cursor: cursorOf(page.next) },
    );
  });
  serve(accounts.updateMember, async ({ actor, params, body }) => {
    const { account, projectIds } = await services.members.update(actor, params.account_id, body);
    return one("member", presentMember(account, projectIds));
  });
  serve(accounts.createPasswordReset, async ({ actor, params }) => {
    const { url, expiresAt } = await services.members.createPasswordReset(actor, params.account_id);
    return one("password_reset", { url, expires_at: iso(expiresAt) });
  });
  serve(accounts.updateAccount, async ({ actor, body }) => {
    const changes = { username: body.username, email: body.email, userInfo: body.user_info };
    return one("account", presentAccount(await services.members.updateProfile(actor, changes)));
  });
  serve(accounts.changePassword, ({ actor, body }) => services.members.changePassword(actor, body.current_password, body.new_password).then(() => undefined));
  serve(teams.listInvites, async ({ actor }) => list((await services.invites.list(actor)).map(presentInvite)));
  serve(teams.revokeInvite, ({ actor, params }) => services.invites.revoke(actor, params.invite_id).then(() => undefined));
}
