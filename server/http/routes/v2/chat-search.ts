import * as messages from "../../../../contract/operations/messages.ts";
import { presentMessage } from "../../../presenters/messages.ts";
import { list } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { cursorOf, readPage } from "../paging.ts";

const momentOf = (value: string | undefined): number | undefined => (value === undefined ? undefined : Date.parse(value));

export function chatSearchRoutes(serve: Serve, services: Services): void {
  serve(messages.searchMessages, async ({ actor, params, query }) => {
    // Newest first: the cursor's id is the one to go on below.
    const { after: before, limit } = readPage(query);
    const found = await services.chatSearch.search(actor, {
      projectId: params.project_id,
      q: query.q ?? "",
      accountId: query.account_id,
      since: momentOf(query.since),
      until: momentOf(query.until),
      has: query.has,
      before,
      limit,
    });
    return list(found.messages.map(presentMessage), { next_cursor: cursorOf(found.next) });
  });
}
