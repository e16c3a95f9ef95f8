/** Bringing back what was deleted, each entry with all that went with it in the same act. */
import { sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { MINUTE } from "../../lib/clock.ts";
import { forbidden, notFound } from "../../lib/faults.ts";
import type { EntryView } from "../../presenters/files.ts";
import { can, type Actor } from "../access.ts";
import { audit } from "../audit.ts";
import { tellCarried } from "./carried.ts";
import type { FilesDeps } from "./deps.ts";
import { nameColumns } from "./entry-rows.ts";
import { firstFree } from "./names.ts";
import { KEPT_MS } from "./removal.ts";
import { entriesOf, entryOf, nearestFolder, takenAmong } from "./repository.ts";
import { filesNamed, filesOnceThere, lockedFiles } from "./selection.ts";
import { aboveOf, chainOf, deletedTree, filesInTree, fromTree, liveTree } from "./tree.ts";

/** Bytes go for good after `KEPT_MS`: who comes in the last minute would race with that. */
const RESTORABLE_MS = KEPT_MS - MINUTE;

export function createRestoring(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  /** Whoever may delete only their own brings back only their own. */
  async function demandOwn(tx: Tx, actor: Actor, top: number): Promise<void> {
    if (can(actor, "file.delete", { own: false })) return;
    const { rows } = await sql`${deletedTree([top])} select 1 from ${filesInTree}
      and files.created_by <> ${actor.accountId} limit 1`.execute(tx);
    if (rows.length > 0) throw forbidden("Your role does not allow bringing back what others have put in there.");
  }

  async function restoreOne(tx: Tx, actor: Actor, file: Row<"files">): Promise<void> {
    await demandOwn(tx, actor, file.id);
    const folder = await nearestFolder(tx, file.parent_id);
    const name = await firstFree(file.name, (keys) => takenAmong(tx, folder.id, keys));
    const { rows: back } = await sql<{ id: number }>`${deletedTree([file.id])} select id from tree`.execute(tx);
    await tx
      .updateTable("files")
      .set({ parent_id: folder.id, ...nameColumns(name, file.is_folder === 1) })
      .where("id", "=", file.id)
      .execute();
    await sql`${deletedTree([file.id])} update files set deleted_at = null, deleted_by = null, deleted_with = null, revision = files.revision + 1
      ${fromTree}`.execute(tx);
    const after = await tx.selectFrom("files").selectAll().where("id", "=", file.id).executeTakeFirstOrThrow();
    await events.append(tx, topicOf.project(file.project_id), "file.created", present.presentEntry(await entryOf(tx, after)));
    await tellCarried(tx, deps, file.project_id, sql`${liveTree([file.id])} select id from tree`);
    await audit(tx, clock.now(), {
      organisationId: actor.organisationId,
      accountId: actor.accountId,
      action: "file.restored",
      target: `file:${file.id}`,
      detail: { count: back.length },
    });
  }

  return {
    /** Answers the entries as they stand then; what was not deleted stays as it is. */
    restore(actor: Actor, ids: readonly number[]): Promise<EntryView[]> {
      return database.write(async (tx) => {
        const named = await lockedFiles(tx, events, () => filesOnceThere(tx, actor, "file.delete", ids));
        const oldest = clock.now() - RESTORABLE_MS;
        if (named.some(({ deleted_at }) => deleted_at !== null && deleted_at <= oldest)) throw notFound("file");
        const above = await aboveOf(tx, ids);
        // Folders before what lies in them, which may come back with them.
        for (const { id } of named.toSorted((a, b) => chainOf(above, a.id).length - chainOf(above, b.id).length)) {
          const file = await tx.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
          if (file.deleted_at !== null) await restoreOne(tx, actor, file);
        }
        return entriesOf(tx, await filesNamed(tx, actor, "file.delete", ids));
      });
    },
  };
}
