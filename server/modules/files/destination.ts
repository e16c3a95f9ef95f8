/** Reads and resolves the destination of an upload: a folder, a project's chat folder, or a file that gets a new version. */
import { fileNameKey } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { line } from "../../../contract/text.ts";
import { assertCan, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { assertNoneArchived } from "../../events/archived-projects.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import type { FilesDeps } from "./deps.ts";
import { insertFile, insertFolder } from "./entry-rows.ts";
import { publishFileEvent } from "./file-events.ts";
import { assertValidName, assertValidPath, findFreeName, numberedName } from "./names.ts";
import { loadAuthorizedFile, findByName, loadNearestFolder, findTakenKeys } from "./repository.ts";
import { loadFilesWithDeleted, loadTreeFacts, lockFiles } from "./selection.ts";
import { assertDepth, assertRemainingFolders, loadDepth, loadRemainingFolders } from "./tree.ts";

/**
 * `path`: names of folders below the parent, created if missing. `chatOf`: the project whose chat folder gets the file. `versionOf`: the file that gets a
 * new version.
 */
export type Destination = { parentId: number; name: string; path?: string[] } | { chatOf: number; name: string } | { versionOf: number };

const CHAT_FOLDER_NAME = "Chat";

function parseMetadataId(metadata: Record<string, string | null> | undefined, name: string): number | undefined {
  const text = metadata?.[name];
  if (text === undefined || text === null) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid(name, "must be a positive integer");
  return Number(text);
}

/** Reads the destination from the metadata of a resumable upload; throws a 400 if it is invalid. */
export function parseDestination(metadata: Record<string, string | null> | undefined): Destination {
  const versionOf = parseMetadataId(metadata, "version_of");
  if (versionOf !== undefined) return { versionOf };
  if (metadata?.["path"] !== undefined && metadata["parent_id"] === undefined) throw invalid("path", "requires parent_id");
  const name = line(255).safeParse(metadata?.["name"] ?? "");
  if (!name.success) throw invalid("name", name.error.issues[0]?.message ?? "is required");
  const projectId = parseMetadataId(metadata, "project_id");
  if (projectId !== undefined) return { chatOf: projectId, name: name.data };
  const parentId = parseMetadataId(metadata, "parent_id");
  if (parentId === undefined) throw invalid("Upload-Metadata", "must contain project_id, parent_id or version_of");
  const path = assertValidPath(metadata?.["path"] ?? "", "path");
  return { parentId, name: name.data, ...(path.length > 0 ? { path } : {}) };
}

/** Throws a 403 unless the policy allows the actor to add a version to this file. */
export async function assertCanAddVersion(db: Db, actor: Actor, file: Row<"files">): Promise<void> {
  const facts = await loadTreeFacts(db, actor, [file.id]);
  const status = facts.isFinal ? await db.selectFrom("file_statuses").select("title").where("id", "=", file.status_id).executeTakeFirst() : null;
  const reason = !facts.isOwn
    ? "Guests can add versions only to files that they added."
    : facts.isProtected
      ? "The file or its folder is protected from removal, so guests cannot add versions."
      : `The file is "${status?.title}", so guests cannot add versions.`;
  assertCan(actor, "file.add_version", facts, `${reason} Upload it as a separate file, or ask a member of the team.`);
}

/** Throws if the actor may not upload to the destination; called before the first byte is received. */
export async function assertDestination(db: Db, actor: Actor, destination: Destination): Promise<void> {
  if ("versionOf" in destination) {
    const file = await loadAuthorizedFile(db, actor, "file.create", destination.versionOf);
    if (file.is_folder === 1) throw invalid("version_of", "must be a file");
    await assertCanAddVersion(db, actor, file);
    await assertNoneArchived(db, [file.project_id]);
    return;
  }
  assertValidName(destination.name, "name");
  if ("chatOf" in destination) {
    await loadAuthorizedProject(db, actor, "file.create", destination.chatOf);
    await assertNoneArchived(db, [destination.chatOf]);
  } else {
    const parent = await loadAuthorizedFile(db, actor, "file.create", destination.parentId);
    if (parent.is_folder === 0) throw invalid("parent_id", "must be a folder");
    await assertNoneArchived(db, [parent.project_id]);
    const { path = [] } = destination;
    if (path.length === 0) return;
    assertDepth((await loadDepth(db, parent.id)) + path.length);
    await assertRemainingFolders(db, parent.project_id, await countMissingFolders(db, parent.id, path));
  }
}

/** Returns how many folders at the end of the path do not exist yet. */
async function countMissingFolders(db: Db, parentId: number, path: readonly string[]): Promise<number> {
  let folderId = parentId;
  for (const [index, name] of path.entries()) {
    const existing = await findByName(db, folderId, fileNameKey(name));
    if (existing?.is_folder !== 1) return path.length - index;
    folderId = existing.id;
  }
  return 0;
}

/**
 * Returns the folder with this name in `parent`, creating it if missing, so that concurrent uploads share it. If a file has the name, the
 * folder gets a number.
 */
async function ensureFolder(
  tx: Tx,
  deps: FilesDeps,
  actor: Actor,
  parent: Pick<Row<"files">, "id" | "project_id">,
  requestedName: string,
): Promise<Row<"files">> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? requestedName : numberedName(requestedName, number);
    const existing = await findByName(tx, parent.id, fileNameKey(name));
    if (existing?.is_folder === 1) return existing;
    if (existing) continue;
    const folder = await insertFolder(tx, deps.database.engine, parent, name, actor, deps.clock.now());
    await publishFileEvent(tx, deps, "file.created", folder);
    return folder;
  }
}

async function ensureChatFolder(tx: Tx, deps: FilesDeps, actor: Actor, projectId: number): Promise<Row<"files">> {
  const project = await loadAuthorizedProject(tx, actor, "file.create", projectId);
  if (project.root_folder_id === null) throw conflict("This project has no folder.");
  await deps.events.lock(tx, topicOf.project(projectId));
  return ensureFolder(tx, deps, actor, { id: project.root_folder_id, project_id: projectId }, CHAT_FOLDER_NAME);
}

/**
 * Loads the entry that the upload specified at its start, and locks its project. The entry may have been deleted since; callers then use the nearest
 * existing folder, so that the upload is not lost.
 */
async function loadTarget(tx: Tx, deps: FilesDeps, actor: Actor, id: number): Promise<Row<"files">> {
  const read = () => loadFilesWithDeleted(tx, actor, "file.create", [id]);
  const [entry] = await lockFiles(tx, deps.events, read);
  if (!entry) throw notFound("file");
  return entry;
}

/** Returns the file that receives the bytes, creating it for a new upload; from here on this transaction is the project's only writer. */
export async function resolveTargetFile(tx: Tx, deps: FilesDeps, actor: Actor, destination: Destination): Promise<Row<"files">> {
  if ("versionOf" in destination) {
    const file = await loadTarget(tx, deps, actor, destination.versionOf);
    if (file.is_folder === 1) throw invalid("version_of", "must be a file");
    if (file.deleted_at !== null) return createFile(tx, deps, actor, await loadNearestFolder(tx, file.parent_id), file.name);
    await assertCanAddVersion(tx, actor, file);
    return file;
  }
  const requestedName = assertValidName(destination.name, "name");
  if ("chatOf" in destination) return createFile(tx, deps, actor, await ensureChatFolder(tx, deps, actor, destination.chatOf), requestedName);
  const parent = await loadTarget(tx, deps, actor, destination.parentId);
  if (parent.is_folder === 0) throw invalid("parent_id", "must be a folder");
  let folder = await loadNearestFolder(tx, parent.id);
  // If the parent was moved deeper or the project got too many folders meanwhile, the path is cut there, because received bytes are not rejected.
  const { path = [] } = destination;
  if (path.length > 0) {
    const remainingDepth = LIMITS.folder_depth - (await loadDepth(tx, folder.id));
    const remainingFolders = await loadRemainingFolders(tx, folder.project_id);
    const existingCount = path.length - (await countMissingFolders(tx, folder.id, path));
    const names = path.slice(0, Math.max(0, Math.min(remainingDepth, existingCount + Math.max(0, remainingFolders))));
    for (const name of names) folder = await ensureFolder(tx, deps, actor, folder, name);
  }
  return createFile(tx, deps, actor, folder, requestedName);
}

async function createFile(tx: Tx, deps: FilesDeps, actor: Actor, folder: Row<"files">, requestedName: string): Promise<Row<"files">> {
  const name = await findFreeName(requestedName, (keys) => findTakenKeys(tx, folder.id, keys));
  return insertFile(tx, deps.database.engine, folder, name, actor, deps.clock.now());
}
