/** Searches a project's chat by text, author, time, and whether a message has links or files. */
import { sql } from "kysely";
import { parseSearchTerms } from "../../../contract/search-words.ts";
import { FILTER_TOKEN, searchMessageIds, type SearchQuery } from "../../db/search.ts";
import { invalid } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import { flagUnreadAttachments } from "../unread-comments.ts";
import type { DomainDeps } from "../deps.ts";
import { loadChatSpan } from "./repository.ts";
import { timeSpanFilters } from "./search-time.ts";
import { completeMessages, selectMessages, type MessageView } from "./sent.ts";

export interface MessageSearchQuery {
  projectId: number;
  q: string;
  accountId: number | undefined;
  /** Epoch milliseconds: `since` is inclusive, `until` exclusive. */
  since: number | undefined;
  until: number | undefined;
  has: "link" | "file" | undefined;
  /** Returns only ids below this one; 0 starts at the newest. */
  before: number;
  limit: number;
}
export interface SearchPage {
  messages: MessageView[];
  /** The value of `before` for the next page; null on the last page. */
  next: number | null;
}

export function createChatSearch({ database, present }: DomainDeps) {
  return {
    /** Returns matches newest first; throws a 400 without any criterion. Text without a letter or digit matches nothing. */
    async search(actor: Actor, query: MessageSearchQuery): Promise<SearchPage> {
      const { read } = database;
      await projectFor(read, actor, "chat.read", query.projectId);
      const hasText = query.q.trim() !== "";
      const { accountId, since, until, has } = query;
      if (!hasText && accountId === undefined && since === undefined && until === undefined && has === undefined)
        throw invalid("q", "must not be empty unless another filter is set");
      const terms = parseSearchTerms(query.q);
      const timeFilters = since === undefined && until === undefined ? null : timeSpanFilters(since, until, await loadChatSpan(read, query.projectId));
      if ((hasText && terms.length === 0) || timeFilters?.length === 0) return { messages: [], next: null };
      const filters: SearchQuery["filters"] = [
        FILTER_TOKEN.project(query.projectId),
        ...(accountId === undefined ? [] : [FILTER_TOKEN.account(accountId)]),
        ...(timeFilters === null ? [] : [timeFilters]),
        ...(has === undefined ? [] : [FILTER_TOKEN[has]]),
      ];
      const where = sql<boolean>`messages.deleted_at is null
        ${since === undefined ? sql`` : sql`and messages.created_at >= ${since}`} ${until === undefined ? sql`` : sql`and messages.created_at < ${until}`}`;
      const ids = await searchMessageIds(
        read,
        database.engine,
        { terms, filters },
        { before: query.before === 0 ? null : query.before, limit: query.limit + 1, where },
      );
      if (ids.length === 0) return { messages: [], next: null };
      const pageIds = ids.slice(0, query.limit);
      const rows = await selectMessages(read).where("messages.id", "in", pageIds).orderBy("messages.id", "desc").execute();
      return {
        messages: await flagUnreadAttachments(read, actor.accountId, await completeMessages(read, present, rows)),
        next: ids.length > pageIds.length ? (pageIds.at(-1) ?? null) : null,
      };
    },
  };
}
