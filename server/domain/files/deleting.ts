/** Deleting entries with all that is in them, in one act that can be undone: all or nothing. */
import { sql } from "kysely";
import type { Deletion } from "../../../contract/file-records.ts";
import { evenly } from "../../db/portable.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, forbidden } from "../../lib/faults.ts";
import type { FileView } from "../../presenters/files.ts";
import { iso } from "../../presenters/records.ts";
import { can, type Actor } from "../access.ts";
import { isCarried } from "../attachments.ts";
import { audit } from "../audit.ts";
import { once, type Repeat } from "../idempotency.ts";
import { tellCarried, tellShown, tellWhoHasTasks } from "./carried.ts";
import type { FilesDeps } from "./deps.ts";
import { dropTags } from "./facts.ts";
import { RESTORABLE_MS } from "./removal.ts";
import { viewOf } from "./repository.ts";
import { filesNamed, lockedFiles } from "./selection.ts";
import { filesInTree, fromTree, liveTree, topsOf } from "./tree.ts";

export function createDeleting(deps: FilesDeps) {
  const { database, events, clock } = deps;

  /** Anything protected in there, or of somebody else where that matters, refuses the whole. */
  async function demandRemovable(tx: Tx, actor: Actor, tops: readonly Row<"files">[]): Promise<void> {
    if (tops.some(({ parent_id }) => parent_id === null)) throw forbidden("A project's root folder stays as long as the project.");
    const tree = liveTree(tops.map(({ id }) => id));
    if (!can(actor, "file.delete", { own: false })) {
      const { rows } = await sql`${tree} select 1 from ${filesInTree} and files.created_by <> ${actor.accountId} limit 1`.execute(tx);
      if (rows.length > 0) throw forbidden("Your role does not allow deleting what others have put in there.");
    }
    const { rows } = await sql<Pick<Row<"files">, "id" | "name">>`${tree} select files.id, files.name from ${filesInTree}
      and files.removal_protection = 1 order by files.id limit 1`.execute(tx);
    const [kept] = rows;
    if (!kept) return;
    const [only] = tops;
    if (tops.length === 1 && kept.id === only?.id) throw conflict("It is protected from removal. Take the protection off first.");
    const within = tops.some(({ id }) => id === kept.id) ? "" : " in it";
    throw conflict(`"${kept.name}"${within} is protected from removal. Take the protection off first.`);
  }

  async function removeAll(tx: Tx, actor: Actor, ids: readonly number[], unlessSent: boolean): Promise<{ tops: Row<"files">[]; count: number }> {
    const named = await lockedFiles(tx, events, () => filesNamed(tx, actor, "file.delete", ids));
    const tops = await topsOf(tx, named);
    await demandRemovable(tx, actor, tops);
    if (unlessSent) for (const { id } of tops) if (await isCarried(tx, id)) throw conflict("A message carries it.");
    const now = clock.now();
    const topIds = tops.map(({ id }) => id);
    await sql`${liveTree(topIds)} update files set deleted_at = ${now}, deleted_by = ${actor.accountId}, deleted_with = tree.top
      ${fromTree}`.execute(tx);
    await dropTags(tx, topIds);
    const gone = await tx
      .selectFrom("files")
      .select(["deleted_with", ({ fn }) => fn.countAll<number | string>().as("count")])
      .where("deleted_with", "in", evenly(topIds))
      .groupBy("deleted_with")
      .execute();
    const counts = new Map(gone.map((row) => [row.deleted_with, Number(row.count)]));
    for (const { id, parent_id, project_id, is_folder } of tops) {
      await events.append(tx, topicOf.project(project_id), "file.deleted", { id, parent_id, is_folder: is_folder === 1 });
      await audit(tx, now, {
        organisationId: actor.organisationId,
        accountId: actor.accountId,
        action: "file.deleted",
        target: `file:${id}`,
        detail: { count: counts.get(id) ?? 1 },
      });
    }
    // Of what was named the event says it; what lay below hears it where messages carry it.
    const folders = tops.flatMap(({ id, is_folder }) => (is_folder === 1 ? [id] : []));
    const [first] = tops;
    if (first && folders.length > 0)
      await tellCarried(tx, deps, first.project_id, sql`select id from files where deleted_with in (${sql.join(evenly(folders))})`);
    const all = sql`select id from files where deleted_with in (${sql.join(evenly(topIds))})`;
    if (first) await tellShown(tx, deps, first.project_id, all);
    if (first) await tellWhoHasTasks(tx, deps, first.project_id, all);
    return { tops, count: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  }

  return {
    /** `unlessSent`: a message that carries the file refuses it. */
    removeOne: (actor: Actor, id: number, unlessSent: boolean): Promise<FileView> =>
      database.write(async (tx) => {
        const [file] = await filesNamed(tx, actor, "file.delete", [id]);
        await removeAll(tx, actor, [id], unlessSent);
        return viewOf(tx, file!);
      }),

    remove(actor: Actor, ids: readonly number[], repeat: Repeat): Promise<Deletion> {
      // A repetition finds nothing to ask about.
      can(actor, "file.delete");
      return database.write((tx) =>
        once(tx, actor, repeat, clock.now(), async () => {
          const { tops, count } = await removeAll(tx, actor, ids, false);
          return { file_ids: tops.map(({ id }) => id), count, restorable_until: iso(clock.now() + RESTORABLE_MS) };
        }),
      );
    },
  };
}
