/** The search across all projects. */
import { LIMITS } from "../../../contract/limits.ts";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import type { SearchKind } from "../../../contract/search-records.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { parsePage } from "../../http/paging.ts";
import { single } from "../../http/responses.ts";
import { createSearch, type Search } from "./search.ts";

export function createSearchModule(deps: ModuleDeps): ServiceModule<{ search: Search }> {
  const search = createSearch(deps);
  return {
    services: { search },
    features: ["search"],
    register({ route }) {
      route(searchOperation, async ({ actor, query }) => {
        const { after } = parsePage(query);
        const groups = await search.search(actor, {
          q: query.q,
          // The schema accepts only these kinds.
          kinds: (query.kind as SearchKind[] | undefined) ?? null,
          projectId: query.project_id ?? null,
          nearProjectId: query.near_project_id ?? null,
          accountId: query.account_id ?? null,
          since: query.since === undefined ? undefined : Date.parse(query.since),
          until: query.until === undefined ? undefined : Date.parse(query.until),
          before: after === 0 ? null : after,
          limit: Math.min(query.limit ?? LIMITS.search_results_default, LIMITS.search_results_max),
        });
        return single("search", { groups });
      });
      return {};
    },
  };
}
