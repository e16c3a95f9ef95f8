import * as messages from "../../../../contract/operations/messages.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { encodeCursor, parsePage } from "../paging.ts";

const parseTime = (value: string | undefined): number | undefined => (value === undefined ? undefined : Date.parse(value));

export function chatSearchRoutes(route: Route, services: Services): void {
  route(messages.searchMessages, async ({ actor, params, query }) => {
    // Results are newest first, so the next page continues below the cursor's id.
    const { after: before, limit } = parsePage(query);
    const page = await services.chatSearch.search(actor, {
      projectId: params.project_id,
      q: query.q ?? "",
      accountId: query.account_id,
      since: parseTime(query.since),
      until: parseTime(query.until),
      has: query.has,
      before,
      limit,
    });
    return list(page.messages.map(presentMessage), { next_cursor: encodeCursor(page.next) });
  });
}
