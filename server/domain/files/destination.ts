/** Where an upload goes: a folder, the chat folder of a project, or a file that gets a new version. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid, notFound } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { insertFile, insertFolder } from "./entry-rows.ts";
import { demandGoodName, fileNameKey, firstFree, numbered } from "./names.ts";
import { fileFor, namedIn, nearestFolder, takenAmong } from "./repository.ts";
import { filesOnceThere, lockedFiles } from "./selection.ts";
import { demandShallow, depthOf } from "./tree.ts";

/** `path`: names of folders below the parent, made where they are missing. */
export type Destination = { parentId: number; name: string; path?: string[] } | { chatOf: number; name: string } | { versionOf: number };

const CHAT_FOLDER = "Chat";

/** Says before the first byte is taken whether the actor may put a file there. */
export async function demandDestination(db: Db, actor: Actor, to: Destination): Promise<void> {
  if ("versionOf" in to) {
    if ((await fileFor(db, actor, "file.create", to.versionOf)).is_folder === 1) throw invalid("version_of", "must be a file");
    return;
  }
  demandGoodName(to.name, "name");
  if ("chatOf" in to) await projectFor(db, actor, "file.create", to.chatOf);
  else {
    if ((await fileFor(db, actor, "file.create", to.parentId)).is_folder === 0) throw invalid("parent_id", "must be a folder");
    if (to.path?.length) demandShallow((await depthOf(db, to.parentId)) + to.path.length);
  }
}

/** The folder of this name in `parent`, made where it is missing: two who need it share it. Beside a file of that name it gets a number. */
async function folderNamed(tx: Tx, deps: FilesDeps, actor: Actor, parent: Pick<Row<"files">, "id" | "project_id">, wished: string): Promise<Row<"files">> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wished : numbered(wished, number);
    const there = await namedIn(tx, parent.id, fileNameKey(name));
    if (there?.is_folder === 1) return there;
    if (there) continue;
    const folder = await insertFolder(tx, parent, name, actor, deps.clock.now());
    await announce(tx, deps, "file.created", folder);
    return folder;
  }
}

async function chatFolder(tx: Tx, deps: FilesDeps, actor: Actor, projectId: number): Promise<Row<"files">> {
  const project = await projectFor(tx, actor, "file.create", projectId);
  if (project.root_folder_id === null) throw conflict("This project has no folder.");
  await deps.events.lock(tx, topicOf.project(projectId));
  return folderNamed(tx, deps, actor, { id: project.root_folder_id, project_id: projectId }, CHAT_FOLDER);
}

/**
 * The entry that the upload named when it began, and the project locked. It may be gone by now: the bytes are not lost for that,
 * whoever has brought them finds them in the nearest folder that is there.
 */
async function entryNamed(tx: Tx, deps: FilesDeps, actor: Actor, id: number): Promise<Row<"files">> {
  const read = () => filesOnceThere(tx, actor, "file.create", [id]);
  const [entry] = await lockedFiles(tx, deps.events, read);
  if (!entry) throw notFound("file");
  return entry;
}

/** The file that gets the bytes, made where it is a new one; from here on this transaction is the project's only writer. */
export async function fileToFill(tx: Tx, deps: FilesDeps, actor: Actor, to: Destination): Promise<Row<"files">> {
  if ("versionOf" in to) {
    const file = await entryNamed(tx, deps, actor, to.versionOf);
    if (file.is_folder === 1) throw invalid("version_of", "must be a file");
    return file.deleted_at === null ? file : newFile(tx, deps, actor, await nearestFolder(tx, file.parent_id), file.name);
  }
  const wished = demandGoodName(to.name, "name");
  if ("chatOf" in to) return newFile(tx, deps, actor, await chatFolder(tx, deps, actor, to.chatOf), wished);
  const named = await entryNamed(tx, deps, actor, to.parentId);
  if (named.is_folder === 0) throw invalid("parent_id", "must be a folder");
  let folder = await nearestFolder(tx, named.id);
  // What was moved deeper meanwhile takes the file where it can: bytes that are here are not refused.
  const room = to.path?.length ? LIMITS.folder_depth - (await depthOf(tx, folder.id)) : 0;
  for (const name of (to.path ?? []).slice(0, Math.max(0, room))) folder = await folderNamed(tx, deps, actor, folder, name);
  return newFile(tx, deps, actor, folder, wished);
}

async function newFile(tx: Tx, deps: FilesDeps, actor: Actor, folder: Row<"files">, wished: string): Promise<Row<"files">> {
  const name = await firstFree(wished, (keys) => takenAmong(tx, folder.id, keys));
  return insertFile(tx, deps.database.engine, folder, name, actor, deps.clock.now());
}
