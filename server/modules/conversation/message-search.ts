/** Searches a project's chat by text, author, time, and whether a message has links or files. */
import { sql } from "kysely";
import { parseSearchTerms } from "../../../contract/search-tokens.ts";
import { type Actor, loadAuthorizedProject } from "../../access/access.ts";
import { FILTER_TOKEN, findMatchingIds, type SearchQuery } from "../../db/search-index.ts";
import { loadPage, takeFrom } from "../../http/paging.ts";
import { invalid } from "../../lib/errors.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { loadChatSpan, selectMessages } from "./message-repository.ts";
import { loadMessageViews, type MessageView, personalizeMessages, presentMessage } from "./message-view.ts";

interface MessageSearchQuery {
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
interface SearchPage {
  messages: MessageView[];
  /** The value of `before` for the next page; null on the last page. */
  next: number | null;
}

/** Epoch milliseconds: `since` is inclusive, `until` exclusive. */
interface TimeSpan {
  since: number;
  until: number;
}

/** Maximum tokens of a time filter. A longer span has no time filter, because only a chat that contains messages with wrong dates is that long. */
const MAX_TIME_FILTERS = 120;

export function createChatSearch({ database, present }: FileViewDeps) {
  return {
    /** Returns matches newest first; throws a 400 without any criterion. Text without a letter or digit matches nothing. */
    async search(actor: Actor, query: MessageSearchQuery): Promise<SearchPage> {
      const { read } = database;
      await loadAuthorizedProject(read, actor, "chat.read", query.projectId);
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
      const ids = await findMatchingIds(
        database.backgroundRead,
        database.engine,
        "message",
        { terms, filters },
        { before: query.before === 0 ? null : query.before, limit: query.limit + 1, where },
      );
      if (ids.length === 0) return { messages: [], next: null };
      const { rows, views, hasMore } = await loadPage<number, MessageView>({
        limit: query.limit,
        load: takeFrom(ids),
        complete: async (batch) => {
          const messages = batch.length === 0 ? [] : await selectMessages(read).where("messages.id", "in", batch).orderBy("messages.id", "desc").execute();
          return personalizeMessages(read, actor.accountId, await loadMessageViews(read, present, messages));
        },
        present: presentMessage,
      });
      return { messages: views, next: hasMore ? (rows.at(-1) ?? null) : null };
    },
  };
}

/**
 * Converts a time span to tokens of the search index: whole years, plus months at both ends. Each message in the span has at least one of the tokens, which
 * cover up to one month too much at each end. Returns an empty list if no message can match, and null if the span covers the whole chat or needs too many
 * tokens. `chatSpan`: from the first message until 1 ms after the last one.
 */
export function timeSpanFilters(since: number | undefined, until: number | undefined, chatSpan: TimeSpan): string[] | null {
  const [from, end] = [Math.max(since ?? chatSpan.since, chatSpan.since), Math.min(until ?? chatSpan.until, chatSpan.until)];
  if (from >= end) return [];
  if (from === chatSpan.since && end === chatSpan.until) return null;
  const filters: string[] = [];
  const [first, last] = [new Date(from), new Date(end - 1)];
  let [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const [lastYear, lastMonth] = [last.getUTCFullYear(), last.getUTCMonth()];
  while (year < lastYear || (year === lastYear && month <= lastMonth)) {
    if (filters.length === MAX_TIME_FILTERS) return null;
    if (month === 0 && (year < lastYear || lastMonth === 11)) filters.push(FILTER_TOKEN.year(startOfMonth(year, 0)));
    else filters.push(FILTER_TOKEN.month(startOfMonth(year, month++)));
    if (month === 0 || month === 12) [year, month] = [year + 1, 0];
  }
  return filters;
}

/** Avoids `Date.UTC`, which maps years below 100 to the 20th century. */
const startOfMonth = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1);
