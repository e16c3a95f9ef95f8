/** Writes messages of another chat in bulk: at the end of a project's chat, with the time they were written at. */
import type { Row, Tx } from "../../db/schema.ts";
import { drawIds } from "../../db/portable.ts";
import { putSearchable } from "../../db/search.ts";
import { topicOf } from "../../events/log.ts";
import { notFound } from "../../lib/faults.ts";
import { audit } from "../audit.ts";
import type { DomainDeps } from "../deps.ts";
import { searchable } from "./search-index.ts";
import { watchersOf } from "./watchers.ts";

export interface ImportedMessage {
  /** As the file names it. */
  sourceId: string;
  accountId: number;
  body: string;
  createdAt: number;
  editedAt: number | null;
  parentId: { sourceId: string } | null;
}
export interface BatchResult {
  /** Replies whose parent was not before them: written as messages of their own. */
  withoutParent: number;
}

/** Rows of one statement: well below the parameters that an engine takes. */
const ROWS_AT_ONCE = 500;
const PAGE = 20_000;
/** With a character that no `client_id` of a request has: nobody can take an imported message's name. */
const PREFIX = "import/";
const clientIdOf = (sourceId: string): string => `${PREFIX}${sourceId}`;

interface Known {
  id: number;
  accountId: number;
}
interface KnownMessages {
  get(sourceId: string): Known | undefined;
  set(sourceId: string, message: Known): unknown;
}

export function createChatImport({ database, events, clock }: DomainDeps) {
  async function insert(tx: Tx, project: Row<"projects">, known: KnownMessages, batch: readonly ImportedMessage[]): Promise<BatchResult> {
    const { engine } = database;
    const ids = await drawIds(tx, engine, "messages", batch.length);
    let withoutParent = 0;
    const rows = batch.map((message, index) => {
      const id = ids[index] as number;
      const parent = message.parentId && known.get(message.parentId.sourceId);
      if (message.parentId && !parent) withoutParent += 1;
      known.set(message.sourceId, { id, accountId: message.accountId });
      return {
        id,
        project_id: project.id,
        account_id: message.accountId,
        body: message.body,
        type: "message",
        is_audio_message: 0 as const,
        parent_id: parent?.id ?? null,
        parent_account_id: parent?.accountId ?? null,
        client_id: clientIdOf(message.sourceId),
        revision: message.editedAt === null ? 1 : 2,
        created_at: message.createdAt,
        edited_at: message.editedAt,
      };
    });
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
      await tx
        .insertInto("messages")
        .values(rows.slice(start, start + ROWS_AT_ONCE))
        .execute();
    await putSearchable(
      tx,
      engine,
      rows.map((row) => searchable(row, false)),
    );
    const last = ids.at(-1) as number;
    // Who had read everything has read this too; nobody is told of years of old news.
    await tx
      .updateTable("read_markers")
      .set({ last_read_message_id: last, moved_at: clock.now() })
      .where("project_id", "=", project.id)
      .where("last_read_message_id", ">=", project.last_message_id ?? 0)
      .execute();
    await tx.updateTable("projects").set({ last_message_id: last }).where("id", "=", project.id).execute();
    return { withoutParent };
  }

  return {
    async project(id: number): Promise<Row<"projects"> & { organisation_id: number }> {
      const row = await database.read
        .selectFrom("projects")
        .innerJoin("teams", "teams.id", "projects.team_id")
        .selectAll("projects")
        .select("teams.organisation_id")
        .where("projects.id", "=", id)
        .executeTakeFirst();
      if (!row) throw notFound("project");
      return row;
    },

    /** Everybody of the organisation, also who has left. */
    people: (organisationId: number): Promise<Pick<Row<"accounts">, "id" | "username_key" | "email_key">[]> =>
      database.read.selectFrom("accounts").select(["id", "username_key", "email_key"]).where("organisation_id", "=", organisationId).execute(),

    /** What was imported before, by the id that its file had for it. */
    async imported(projectId: number): Promise<Map<string, Known>> {
      const known = new Map<string, Known>();
      for (let last = 0; ;) {
        const rows = await database.read
          .selectFrom("messages")
          .select(["id", "account_id", "client_id"])
          .where("project_id", "=", projectId)
          .where("client_id", "like", `${PREFIX}%`)
          .where("id", ">", last)
          .orderBy("id")
          .limit(PAGE)
          .execute();
        for (const row of rows) known.set((row.client_id ?? "").slice(PREFIX.length), { id: row.id, accountId: row.account_id });
        if (rows.length < PAGE) return known;
        last = rows.at(-1)?.id ?? last;
      }
    },

    /** One transaction. What is in the batch becomes known with its new id. */
    async write(projectId: number, known: Map<string, Known>, batch: readonly ImportedMessage[]): Promise<BatchResult> {
      const added = new Map<string, Known>();
      // A transaction may run again, and must then not find what it had written itself.
      const view: KnownMessages = { get: (id) => added.get(id) ?? known.get(id), set: (id, one) => added.set(id, one) };
      const result = await database.write(async (tx) => {
        added.clear();
        await events.lock(tx, topicOf.project(projectId));
        const project = await tx.selectFrom("projects").selectAll().where("id", "=", projectId).executeTakeFirst();
        if (!project) throw notFound("project");
        return insert(tx, project, view, batch);
      });
      for (const [id, one] of added) known.set(id, one);
      return result;
    },

    /** Tells open windows once, however much it was. `before`: imported by earlier runs. */
    finish: (projectId: number, organisationId: number, detail: { messages: number; before: number }): Promise<void> =>
      database.write(async (tx) => {
        const watchers = await watchersOf(tx, projectId).select("accounts.id").execute();
        await events.append(tx, topicOf.project(projectId), "messages.imported", { project_id: projectId });
        for (const { id } of watchers) await events.append(tx, topicOf.account(id), "projects.changed", { project_id: projectId });
        await audit(tx, clock.now(), { organisationId, accountId: null, action: "chat.imported", target: `project:${projectId}`, detail });
      }),
  };
}
