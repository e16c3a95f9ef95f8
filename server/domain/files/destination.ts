/** Where an upload goes: a folder, the chat folder of a project, or a file that gets a new version. */
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid } from "../../lib/faults.ts";
import { projectFor, type Actor } from "../access.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { demandGoodName, fileNameKey, firstFree, numbered } from "./names.ts";
import { fileFor, folderFor, namedIn, takenAmong } from "./repository.ts";

export type Destination = { parentId: number; name: string } | { chatOf: number; name: string } | { versionOf: number };

const CHAT_FOLDER = "Chat";

/** Says before the first byte is taken whether the actor may put a file there. */
export async function demandDestination(db: Db, actor: Actor, to: Destination): Promise<void> {
  if ("versionOf" in to) {
    if ((await fileFor(db, actor, "file.create", to.versionOf)).is_folder === 1) throw invalid("version_of", "must be a file");
    return;
  }
  demandGoodName(to.name, "name");
  if ("chatOf" in to) await projectFor(db, actor, "file.create", to.chatOf);
  else if ((await fileFor(db, actor, "file.create", to.parentId)).is_folder === 0) throw invalid("parent_id", "must be a folder");
}

async function chatFolder(tx: Tx, deps: FilesDeps, actor: Actor, projectId: number): Promise<Row<"files">> {
  const project = await projectFor(tx, actor, "file.create", projectId);
  if (project.root_folder_id === null) throw conflict("This project has no folder.");
  await deps.events.lock(tx, topicOf.project(projectId));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? CHAT_FOLDER : numbered(CHAT_FOLDER, number);
    const there = await namedIn(tx, project.root_folder_id, fileNameKey(name));
    if (there?.is_folder === 1) return there;
    if (there) continue;
    const folder = await tx
      .insertInto("files")
      .values({
        project_id: projectId,
        parent_id: project.root_folder_id,
        is_folder: 1,
        name,
        name_key: fileNameKey(name),
        created_by: actor.accountId,
        created_at: deps.clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await announce(tx, deps, "file.created", folder);
    return folder;
  }
}

/** The file that gets the bytes, made where it is a new one; from here on this transaction is the project's only writer. */
export async function fileToFill(tx: Tx, deps: FilesDeps, actor: Actor, to: Destination): Promise<Row<"files">> {
  if ("versionOf" in to) {
    const file = await fileFor(tx, actor, "file.create", to.versionOf);
    if (file.is_folder === 1) throw invalid("version_of", "must be a file");
    await deps.events.lock(tx, topicOf.project(file.project_id));
    return fileFor(tx, actor, "file.create", to.versionOf);
  }
  const wished = demandGoodName(to.name, "name");
  const folder =
    "chatOf" in to ? await chatFolder(tx, deps, actor, to.chatOf) : await folderFor(tx, deps.events, actor, "file.create", to.parentId, "parent_id");
  const name = await firstFree(wished, (keys) => takenAmong(tx, folder.id, keys));
  return tx
    .insertInto("files")
    .values({
      project_id: folder.project_id,
      parent_id: folder.id,
      is_folder: 0,
      name,
      name_key: fileNameKey(name),
      created_by: actor.accountId,
      created_at: deps.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
