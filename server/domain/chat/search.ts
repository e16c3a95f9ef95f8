/** Search in a project's chat: words, author, time, and what a message carries. */
import { sql } from "kysely";
import { searchedWords } from "../../../contract/search-words.ts";
import { MARK, searchIds, type SearchTerms } from "../../db/search.ts";
import { invalid } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";
import { complete, selectMessages, type SentMessage } from "./sent.ts";

export interface SearchWish {
  projectId: number;
  q: string;
  accountId: number | undefined;
  /** Epoch milliseconds: from `since` on, before `until`. */
  since: number | undefined;
  until: number | undefined;
  has: "link" | "file" | undefined;
  /** Below this id; 0: from the newest. */
  before: number;
  limit: number;
}
export interface Found {
  messages: SentMessage[];
  /** The id to go on below; null on the last page. */
  next: number | null;
}

/** A longer time is not narrowed down to its months. */
const MOST_MONTHS = 24;

function monthsOf(since: number | undefined, until: number | undefined, now: number): string[] | null {
  // A year's margin: an import may bring what is dated later than this clock.
  if (since === undefined || (until === undefined && since > now)) return null;
  const end = until ?? now + 31_536_000_000;
  const months: string[] = [];
  for (let at = new Date(since); at.getTime() < end; at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))) {
    if (months.length === MOST_MONTHS) return null;
    months.push(MARK.month(at.getTime()));
  }
  return months;
}

export function createChatSearch({ database, present, clock }: DomainDeps) {
  return {
    /** Newest first. Without any criterion it is a 400; words without a letter or digit find nothing. */
    async search(actor: Actor, wish: SearchWish): Promise<Found> {
      const { read } = database;
      await projectFor(read, actor, "chat.read", wish.projectId);
      const asked = wish.q.trim() !== "";
      const { accountId, since, until, has } = wish;
      if (!asked && accountId === undefined && since === undefined && until === undefined && has === undefined)
        throw invalid("q", "must not be empty where nothing else is asked for");
      const words = searchedWords(wish.q);
      const months = monthsOf(since, until, clock.now());
      if ((asked && words.length === 0) || months?.length === 0) return { messages: [], next: null };
      const marks: SearchTerms["marks"] = [
        MARK.project(wish.projectId),
        ...(accountId === undefined ? [] : [MARK.account(accountId)]),
        ...(months === null ? [] : [months]),
        ...(has === undefined ? [] : [MARK[has]]),
      ];
      const where = sql<boolean>`messages.deleted_at is null
        ${since === undefined ? sql`` : sql`and messages.created_at >= ${since}`} ${until === undefined ? sql`` : sql`and messages.created_at < ${until}`}`;
      const ids = await searchIds(read, database.engine, { words, marks }, { before: wish.before === 0 ? null : wish.before, limit: wish.limit + 1, where });
      if (ids.length === 0) return { messages: [], next: null };
      const shown = ids.slice(0, wish.limit);
      const rows = await selectMessages(read).where("messages.id", "in", shown).orderBy("messages.id", "desc").execute();
      return { messages: await complete(read, present, rows), next: ids.length > shown.length ? (shown.at(-1) ?? null) : null };
    },
  };
}
