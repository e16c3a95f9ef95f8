/** The knowledge base: the text of documents, and the lyrics and notes of audio. */
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/knowledge.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Search } from "../search/search.ts";
import { createKnowledgeSearch, type KnowledgeSearch } from "./knowledge-search.ts";
import { createPages } from "./pages.ts";

export function createKnowledgeModule(deps: ModuleDeps, search: Search): ServiceModule<{ knowledge: KnowledgeSearch }> {
  const knowledge = createKnowledgeSearch(deps, search);
  const pages = createPages(deps);
  return {
    services: { knowledge },
    features: ["knowledge-base"],
    register({ route }) {
      route(operations.searchKnowledgeBase, async ({ actor, query }) => {
        const { after } = parsePage(query);
        const { results, next } = await knowledge.search(actor, {
          query: query.query,
          teamId: query.team_id ?? null,
          projectId: query.project_id ?? null,
          fileId: query.file_id ?? null,
          version: query.version ?? null,
          before: after === 0 ? null : after,
          limit: Math.min(query.limit ?? LIMITS.search_results_default, LIMITS.search_results_max),
        });
        return list(results, { next_cursor: encodeCursor(next) });
      });
      route(operations.listFilePages, async ({ actor, params, query }) => {
        const { after, limit } = parsePage(query);
        const { text, pages: found, next } = await pages.list(actor, params.file_id, query.version ?? null, after, limit);
        return list(found, { next_cursor: encodeCursor(next), ...text });
      });
      route(operations.getFilePage, async ({ actor, params, query }) =>
        single("file_page", await pages.get(actor, params.file_id, query.version ?? null, params.number)),
      );
      return {};
    },
  };
}
