/** Search in a project's chat: words, author, time, and what a message carries. */
import { sql } from "kysely";
import { searchedWords } from "../../../contract/search-words.ts";
import { MARK, searchIds, type SearchTerms } from "../../db/search.ts";
import { invalid } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import { forReader } from "../unread-comments.ts";
import type { DomainDeps } from "../deps.ts";
import { lifeOf } from "./repository.ts";
import { marksOfSpan } from "./search-time.ts";
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

export function createChatSearch({ database, present }: DomainDeps) {
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
      const times = since === undefined && until === undefined ? null : marksOfSpan(since, until, await lifeOf(read, wish.projectId));
      if ((asked && words.length === 0) || times?.length === 0) return { messages: [], next: null };
      const marks: SearchTerms["marks"] = [
        MARK.project(wish.projectId),
        ...(accountId === undefined ? [] : [MARK.account(accountId)]),
        ...(times === null ? [] : [times]),
        ...(has === undefined ? [] : [MARK[has]]),
      ];
      const where = sql<boolean>`messages.deleted_at is null
        ${since === undefined ? sql`` : sql`and messages.created_at >= ${since}`} ${until === undefined ? sql`` : sql`and messages.created_at < ${until}`}`;
      const ids = await searchIds(read, database.engine, { words, marks }, { before: wish.before === 0 ? null : wish.before, limit: wish.limit + 1, where });
      if (ids.length === 0) return { messages: [], next: null };
      const shown = ids.slice(0, wish.limit);
      const rows = await selectMessages(read).where("messages.id", "in", shown).orderBy("messages.id", "desc").execute();
      return {
        messages: await forReader(read, actor.accountId, await complete(read, present, rows)),
        next: ids.length > shown.length ? (shown.at(-1) ?? null) : null,
      };
    },
  };
}
