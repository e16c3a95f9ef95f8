/**
 * Moving entries into another folder of their project: all or nothing, as the project's only writer, so that no two moves can make a circle.
 * A protected entry stays where people look for it; the folder that it lies in may be moved with it.
 */
import { sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, Fault, forbidden, invalid } from "../../lib/faults.ts";
import type { EntryView } from "../../presenters/files.ts";
import { can, type Actor } from "../access.ts";
import type { FilesDeps } from "./deps.ts";
import { entriesOf, folderFor, takenAmong } from "./repository.ts";
import { filesNamed } from "./selection.ts";
import { aboveOf, chainOf, demandShallow, depthOf, filesInTree, heightOf, liveTree, topsOf } from "./tree.ts";

/** So many names are told in a sentence; `errors` has all. */
const TOLD = 3;

export function createMoving({ database, events, present }: FilesDeps) {
  /** Whoever may move only their own moves nothing of others along. */
  async function demandOwn(tx: Tx, actor: Actor, tops: readonly Row<"files">[]): Promise<void> {
    if (can(actor, "file.move", { own: false })) return;
    const ids = tops.map(({ id }) => id);
    const { rows } = await sql`${liveTree(ids)} select 1 from ${filesInTree} and files.created_by <> ${actor.accountId} limit 1`.execute(tx);
    if (rows.length > 0) throw forbidden("Your role does not allow moving what others have put in there.");
  }

  async function demandNoCircle(tx: Tx, moved: readonly Row<"files">[], parent: Row<"files">): Promise<void> {
    const above = await aboveOf(tx, [parent.id]);
    const chain = new Set([parent.id, ...chainOf(above, parent.id)]);
    const circle = moved.find(({ id }) => chain.has(id));
    if (circle)
      throw conflict(
        circle.id === parent.id ? `"${circle.name}" cannot be moved into itself.` : `"${circle.name}" cannot be moved into a folder that lies in it.`,
      );
  }

  async function demandFreeNames(tx: Tx, moved: readonly Row<"files">[], parent: Row<"files">): Promise<void> {
    const taken = await takenAmong(
      tx,
      parent.id,
      moved.map((row) => row.name_key),
    );
    const clashing: string[] = [];
    for (const { name, name_key } of moved) {
      if (taken.has(name_key)) clashing.push(name);
      taken.add(name_key);
    }
    if (clashing.length === 0) return;
    const told = clashing.slice(0, TOLD).map((name) => `"${name}"`);
    const rest = clashing.length > TOLD ? ` and ${clashing.length - TOLD} more` : "";
    throw new Fault(409, `"${parent.name}" already has ${told.join(", ")}${rest}. Nothing was moved.`, {
      errors: clashing.map((name) => ({ path: "file_ids", message: name })),
    });
  }

  return {
    /** Answers the entries as they stand then. What is in the folder already stays, and is told to nobody. */
    move(actor: Actor, ids: readonly number[], parentId: number): Promise<EntryView[]> {
      return database.write(async (tx) => {
        const parent = await folderFor(tx, events, actor, "file.create", parentId, "parent_id");
        const named = await filesNamed(tx, actor, "file.move", ids);
        if (named.some(({ project_id }) => project_id !== parent.project_id)) throw invalid("file_ids", "must be of the folder's project");
        if (named.some(({ parent_id }) => parent_id === null)) throw forbidden("A project's root folder stays where it is.");
        const moved = (await topsOf(tx, named)).filter(({ parent_id }) => parent_id !== parent.id);
        if (moved.length === 0) return entriesOf(tx, named);
        await demandOwn(tx, actor, moved);
        await demandNoCircle(tx, moved, parent);
        const folders = moved.filter(({ is_folder }) => is_folder === 1).map(({ id }) => id);
        if (folders.length > 0) demandShallow((await depthOf(tx, parent.id)) + (await heightOf(tx, folders)));
        const kept = moved.find((row) => row.removal_protection === 1);
        if (kept) throw conflict(`"${kept.name}" is protected from removal and stays in its folder. Take the protection off first.`);
        await demandFreeNames(tx, moved, parent);
        await tx
          .updateTable("files")
          .set((eb) => ({ parent_id: parent.id, revision: eb("revision", "+", 1) }))
          .where(
            "id",
            "in",
            moved.map(({ id }) => id),
          )
          .execute();
        const after = await entriesOf(tx, await filesNamed(tx, actor, "file.move", ids));
        const movedIds = new Set(moved.map(({ id }) => id));
        for (const entry of after)
          if (movedIds.has(entry.file.id))
            await events.append(tx, topicOf.project(parent.project_id), "file.updated", { ...present.presentEntry(entry), moved: true });
        return after;
      });
    },
  };
}
