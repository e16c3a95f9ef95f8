/**
 * Keeps the JSON of pages of a project's messages and files, which is the same for all its readers, until the project or its organization has another event:
 * whatever changes what a page shows appends one, because the pages of clients depend on it too. What depends on the reader is filled in at each request.
 */
import type { EventType } from "../../../contract/events.ts";
import type { Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import type { Row } from "../../db/schema.ts";
import { untilNextCommit } from "../../db/until-commit.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { keepCompressed } from "../../http/compression.ts";
import { JsonText } from "../../http/responses.ts";
import { findUnreadFileIds } from "./unread.ts";

/** Bytes of all pages that are kept; the one that was used longest ago goes first. */
const MAX_BYTES = 32_000_000;

/** Of each page besides its text. */
const OVERHEAD_BYTES = 1_000;

/** Stands for `has_unread_comments` of a file in the text of a page. */
export const unreadMark = (fileId: number): boolean => -fileId as unknown as boolean;
/** Inside a string, the quotes would be escaped. */
const UNREAD_MARK = /(?<="has_unread_comments":)-(\d+)/;

/** Events of an organization that change no page. Deliveries are the only ones that come in masses. */
const IGNORED_TYPES: ReadonlySet<string> = new Set<EventType>(["delivery.updated", "webhook_endpoint.updated", "webhook_endpoint.deleted"]);
/** After more new events than this, one of them is taken to matter, because reading them would cost more than building pages anew. */
const MAX_READ_EVENTS = 1_000;

interface KeptPage {
  version: string;
  /** 0 while it is being built. */
  bytes: number;
  /** For whom it is being built. */
  accountId: number;
  page: Promise<Page>;
}

interface Page {
  /** The text between the marks. */
  parts: string[];
  /** The files of the marks. */
  fileIds: number[];
  /** The page of somebody who has read everything. */
  read: Buffer;
}

/** Imports of messages append no event for each batch, but change the last message. */
type ShownProject = Pick<Row<"projects">, "id" | "last_message_id">;

export interface PageTexts {
  /**
   * Returns a page for the reader, who must be allowed to see the project. `query` is all that the page depends on besides the project. `build` returns its
   * JSON, with marks where something depends on the reader; `seq` is the project's newest event, and the page is at least as new. `waitsForTurn`: the build
   * waits for a turn of the caller's account, so that somebody else would wait for turns that are not theirs.
   */
  load(actor: Actor, project: ShownProject, query: object, build: (seq: number) => Promise<string>, options?: { waitsForTurn?: boolean }): Promise<JsonText>;
}

/** `verify`: builds each page anew and throws if it differs from the kept one (tests). */
export function createPageTexts({ database, events }: { database: Database; events: EventLog }, verify = false): PageTexts {
  const pages = new Map<string, KeptPage>();
  let bytes = 0;

  /** The newest event that was seen of each organization's topic, and the newest of those that may change a page. */
  const newestOf = new Map<string, { seen: number; relevant: number }>();

  /** Returns the newest event of an organization's topic that may change a page. */
  async function findRelevant(topic: string, seq: number): Promise<number> {
    const known = newestOf.get(topic);
    if (known?.seen === seq) return known.relevant;
    let relevant = seq;
    if (known && seq > known.seen && seq - known.seen <= MAX_READ_EVENTS) {
      const query = database.read.selectFrom("events").select(["seq", "type"]).where("topic", "=", topic).where("seq", ">", known.seen).where("seq", "<=", seq);
      const newer = await query.orderBy("seq").execute();
      // Old events are deleted, and may have mattered.
      if (newer.length === seq - known.seen) relevant = newer.findLast(({ type }) => !IGNORED_TYPES.has(type))?.seq ?? known.relevant;
    }
    if (!known || seq > known.seen) newestOf.set(topic, { seen: seq, relevant });
    return relevant;
  }

  function forget(key: string): void {
    bytes -= pages.get(key)?.bytes ?? 0;
    pages.delete(key);
  }

  function grow(kept: KeptPage, addedBytes: number): void {
    kept.bytes += addedBytes;
    bytes += addedBytes;
    for (const oldest of pages.keys()) {
      if (bytes <= MAX_BYTES) break;
      forget(oldest);
    }
  }

  function keep(key: string, version: string, accountId: number, page: Promise<Page>): Promise<Page> {
    forget(key);
    const kept: KeptPage = { version, bytes: 0, accountId, page };
    pages.set(key, kept);
    page.then(
      ({ read }) => {
        if (pages.get(key) !== kept) return;
        // The text and its bytes.
        grow(kept, (read.length + key.length) * 2 + OVERHEAD_BYTES);
        keepCompressed(read, (compressedBytes) => pages.get(key) === kept && grow(kept, compressedBytes));
      },
      () => pages.get(key) === kept && forget(key),
    );
    return page;
  }

  async function versionOf(actor: Actor, { id, last_message_id }: ShownProject): Promise<{ seq: number; version: string }> {
    const [projectTopic, organisationTopic] = [topicOf.project(id), topicOf.organisation(actor.organisationId)];
    const seqs = await events.loadNewestSeqs(database.read, [projectTopic, organisationTopic]);
    const seq = seqs.get(projectTopic) ?? 0;
    return { seq, version: `${seq} ${await findRelevant(organisationTopic, seqs.get(organisationTopic) ?? 0)} ${last_message_id}` };
  }

  /** Throws if the page has changed although no event says so. */
  async function assertSame(actor: Actor, project: ShownProject, version: string, kept: Page, built: string): Promise<void> {
    const fresh = toPage(built);
    if (fresh.parts.join() === kept.parts.join() && fresh.fileIds.join() === kept.fileIds.join()) return;
    // Somebody may have changed something while it was built.
    const { last_message_id } = await database.read.selectFrom("projects").select("last_message_id").where("id", "=", project.id).executeTakeFirstOrThrow();
    if ((await versionOf(actor, { id: project.id, last_message_id })).version !== version) return;
    throw new Error(`A page of project ${project.id} has changed without an event: ${built}`);
  }

  return {
    async load(actor, project, query, build, { waitsForTurn = false } = {}) {
      const { seq, version } = await versionOf(actor, project);
      const key = `${project.id} ${JSON.stringify(query)}`;
      const kept = pages.get(key);
      let page: Page;
      if (kept?.version === version && (kept.bytes > 0 || !waitsForTurn || kept.accountId === actor.accountId)) {
        pages.delete(key);
        pages.set(key, kept);
        page = await kept.page;
        if (verify) await assertSame(actor, project, version, page, await build(seq));
      } else page = await keep(key, version, actor.accountId, build(seq).then(toPage));
      if (page.fileIds.length === 0) return new JsonText(page.read);
      const unreadIds = await untilNextCommit(database.read, `unread of ${actor.accountId} in ${page.fileIds.join()}`, () =>
        findUnreadFileIds(database.read, actor.accountId, [...new Set(page.fileIds)]),
      );
      if (unreadIds.size === 0) return new JsonText(page.read);
      return new JsonText(page.parts.map((part, index) => (index === 0 ? part : `${unreadIds.has(page.fileIds[index - 1] ?? 0)}${part}`)).join(""));
    },
  };
}

function toPage(text: string): Page {
  // The group of the expression becomes every second element.
  const split = text.split(UNREAD_MARK);
  const parts = split.filter((_, index) => index % 2 === 0);
  const fileIds = split.filter((_, index) => index % 2 === 1).map(Number);
  return { parts, fileIds, read: Buffer.from(parts.join("false")) };
}
