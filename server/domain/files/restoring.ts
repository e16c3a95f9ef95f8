/** Bringing back what was deleted, each entry with all that went with it in the same act: by folders, not one entry after the other. */
import { sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { forbidden, notFound } from "../../lib/faults.ts";
import type { EntryView } from "../../presenters/files.ts";
import { can, type Actor } from "../access.ts";
import { audit } from "../audit.ts";
import { tellCarried, tellShown, tellWhoHasTasks } from "./carried.ts";
import type { FilesDeps } from "./deps.ts";
import { nameColumns } from "./entry-rows.ts";
import { repeatTags } from "./facts.ts";
import { fileNameKey, firstFree } from "./names.ts";
import { RESTORABLE_MS } from "./removal.ts";
import { entriesOf, takenAmong } from "./repository.ts";
import { renewStatuses } from "./returned-statuses.ts";
import { filesNamed, filesOnceThere, lockedFiles } from "./selection.ts";
import { aboveOf, chainOf, deletedTree, demandShallow, filesInTree, fromTree, liveTree, type Above } from "./tree.ts";

type Deleted = Row<"files"> & { deleted_with: number };
const idsOf = (entries: readonly { id: number }[]): number[] => entries.map(({ id }) => id);

/** Those that do not come back with another of them: what went in the same act, or whose folder is another's, goes its own way. */
function withoutCompany(named: readonly Deleted[], above: ReadonlyMap<number, Above>): Deleted[] {
  const acts = new Map(named.map(({ id, deleted_with }) => [id, deleted_with]));
  return named.filter(({ id, deleted_with }) => !chainOf(above, id).some((folder) => acts.get(folder) === deleted_with));
}

/** Folders before what lies in them and was deleted by itself: each wave finds the folders of the one before it. */
function wavesOf(tops: readonly Deleted[], above: ReadonlyMap<number, Above>): Deleted[][] {
  const named = new Set(idsOf(tops));
  const waves: Deleted[][] = [];
  for (const top of tops) (waves[chainOf(above, top.id).filter((folder) => named.has(folder)).length] ??= []).push(top);
  return waves;
}

export function createRestoring(deps: FilesDeps) {
  const { database, events, clock, present } = deps;

  /** Whoever may delete only their own brings back only their own. */
  async function demandOwn(tx: Tx, actor: Actor, tops: readonly Deleted[]): Promise<void> {
    if (can(actor, "file.delete", { own: false })) return;
    const { rows } = await sql`${deletedTree(idsOf(tops))} select 1 from ${filesInTree}
      and files.created_by <> ${actor.accountId} limit 1`.execute(tx);
    if (rows.length > 0) throw forbidden("Your role does not allow bringing back what others have put in there.");
  }

  /** The nearest folder that is there, with a number where the name is taken there. */
  async function giveRoom(tx: Tx, folderId: number, tops: readonly Deleted[]): Promise<void> {
    const wished = tops.map(({ name_key }) => name_key);
    const taken = await takenAmong(tx, folderId, wished);
    const given = new Set<string>();
    for (const top of tops) {
      const isFree = !taken.has(top.name_key) && !given.has(top.name_key);
      const name = isFree ? top.name : await firstFree(top.name, async (keys) => new Set([...(await takenAmong(tx, folderId, keys)), ...given, ...wished]));
      given.add(fileNameKey(name));
      if (name === top.name && folderId === top.parent_id) continue;
      await tx
        .updateTable("files")
        .set({ parent_id: folderId, ...nameColumns(name, top.is_folder === 1) })
        .where("id", "=", top.id)
        .execute();
    }
  }

  /** Its folder may lie deeper by now than when it was deleted. */
  async function demandRoom(tx: Tx, byFolder: ReadonlyMap<number, readonly Deleted[]>, above: ReadonlyMap<number, Above>): Promise<void> {
    const tops = [...byFolder.values()].flat();
    if (tops.every(({ is_folder }) => is_folder === 0)) return;
    const { rows } = await sql<{ top: number; height: number }>`${deletedTree(idsOf(tops))} select tree.top, max(tree.level) as height
      from ${filesInTree} and files.is_folder = 1 group by tree.top`.execute(tx);
    const heights = new Map(rows.map(({ top, height }) => [top, height]));
    for (const [folder, entries] of byFolder) demandShallow(chainOf(above, folder).length + Math.max(...entries.map(({ id }) => heights.get(id) ?? 0)));
  }

  async function restoreWave(tx: Tx, actor: Actor, tops: readonly Deleted[]): Promise<void> {
    await demandOwn(tx, actor, tops);
    const above = await aboveOf(tx, idsOf(tops));
    const byFolder = Map.groupBy(tops, ({ id }) => {
      const folder = chainOf(above, id).find((one) => above.get(one)?.deleted_at === null);
      // The root always is there.
      if (folder === undefined) throw notFound("folder");
      return folder;
    });
    for (const [folder, entries] of byFolder) await giveRoom(tx, folder, entries);
    const { rows: counts } = await sql<{ top: number; count: number | string }>`${deletedTree(idsOf(tops))}
      select top, count(*) as count from tree group by top`.execute(tx);
    await demandRoom(tx, byFolder, above);
    const renew = await renewStatuses(tx, deps, actor, idsOf(tops));
    await sql`${deletedTree(idsOf(tops))} update files set deleted_at = null, deleted_by = null, deleted_with = null, revision = files.revision + 1
      ${fromTree}`.execute(tx);
    await renew();
    for (const { top, count } of counts)
      await audit(tx, clock.now(), {
        organisationId: actor.organisationId,
        accountId: actor.accountId,
        action: "file.restored",
        target: `file:${top}`,
        detail: { count: Number(count) },
      });
  }

  async function tell(tx: Tx, projectId: number, ids: readonly number[]): Promise<void> {
    await repeatTags(tx, database.engine, ids);
    const rows = await tx.selectFrom("files").selectAll().where("id", "in", ids).execute();
    const entries = new Map((await entriesOf(tx, rows)).map((entry) => [entry.file.id, entry]));
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry) await events.append(tx, topicOf.project(projectId), "file.created", { ...present.presentEntry(entry), restored: true });
    }
    await tellCarried(tx, deps, projectId, sql`${liveTree(ids)} select id from tree`);
    await tellShown(tx, deps, projectId, sql`${liveTree(ids)} select id from tree`);
    await tellWhoHasTasks(tx, deps, projectId, sql`${liveTree(ids)} select id from tree`);
  }

  return {
    /** Answers the entries as they stand then; what was not deleted stays as it is. */
    restore(actor: Actor, ids: readonly number[]): Promise<EntryView[]> {
      return database.write(async (tx) => {
        const named = await lockedFiles(tx, events, () => filesOnceThere(tx, actor, "file.delete", ids));
        const oldest = clock.now() - RESTORABLE_MS;
        if (named.some(({ deleted_at }) => deleted_at !== null && deleted_at <= oldest)) throw notFound("file");
        const deleted = named.flatMap((row) => (row.deleted_at === null ? [] : [{ ...row, deleted_with: row.deleted_with ?? row.id }]));
        const above = await aboveOf(tx, idsOf(deleted));
        const waves = wavesOf(withoutCompany(deleted, above), above);
        for (const wave of waves) await restoreWave(tx, actor, wave);
        const back = idsOf(waves.flat());
        if (back.length > 0) await tell(tx, named[0]?.project_id ?? 0, back);
        return entriesOf(tx, await filesNamed(tx, actor, "file.delete", ids));
      });
    },
  };
}
