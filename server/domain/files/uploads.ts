/** Finished bytes become a file, or a new version of one: row, media job and events in one transaction. */
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { Fault, invalid, notFound } from "../../lib/faults.ts";
import { presentFileVersionEvent } from "./upload-event.ts";
import type { StoredBlob } from "../../storage/storage.ts";
import { fileFor, takenKeys } from "./repository.ts";
import { can, projectFor, type Actor } from "../access.ts";
import { announce, type FilesDeps } from "./deps.ts";
import { folderFor } from "./entries.ts";
import { demandGoodName, fileNameKey, numbered } from "./names.ts";
import { recordOutbound } from "./outbound.ts";

export const MEDIA_JOB = "media";
const CHAT_FOLDER = "Chat";

/** Where the bytes go: a folder, the chat folder of a project, or a file that gets a new version. */
export type Destination = { parentId: number; name: string } | { chatOf: number; name: string } | { versionOf: number };

export interface Uploaded {
  fileId: number;
  version: number;
}

export function createUploads(deps: FilesDeps) {
  const { database, clock } = deps;

  async function usedBytes(tx: Tx | typeof database.read, organisationId: number): Promise<number> {
    const { used } = await tx
      .selectFrom("blobs")
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("size"), eb.lit(0)).as("used"))
      .where("organisation_id", "=", organisationId)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    return Number(used);
  }

  async function demandRoom(tx: Tx | typeof database.read, organisationId: number, bytes: number): Promise<void> {
    const { organisationBytes } = deps.limits;
    if (organisationBytes > 0 && (await usedBytes(tx, organisationId)) + bytes > organisationBytes) {
      throw new Fault(413, "Your organisation has no room left for this file. Delete something, or ask your operator for more.");
    }
  }

  async function chatFolder(tx: Tx, actor: Actor, projectId: number): Promise<Row<"files">> {
    const project = await projectFor(tx, actor, "file.create", projectId);
    if (project.root_folder_id === null) throw new Fault(409, "This project has no folder.");
    await deps.events.lock(tx, topicOf.project(projectId));
    const there = await tx
      .selectFrom("files")
      .selectAll()
      .where("parent_id", "=", project.root_folder_id)
      .where("name_key", "=", fileNameKey(CHAT_FOLDER))
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (there?.is_folder === 1) return there;
    const name = there ? numbered(CHAT_FOLDER, 2) : CHAT_FOLDER;
    const folder = await tx
      .insertInto("files")
      .values({ project_id: projectId, parent_id: project.root_folder_id, is_folder: 1, name, name_key: fileNameKey(name), created_by: actor.accountId, created_at: clock.now() })
      .returningAll()
      .executeTakeFirstOrThrow();
    await announce(tx, deps, "file.created", folder);
    return folder;
  }

  async function newFile(tx: Tx, actor: Actor, folder: Row<"files">, wished: string): Promise<Row<"files">> {
    const taken = await takenKeys(tx, folder.id);
    let name = wished;
    for (let number = 2; taken.has(fileNameKey(name)); number += 1) name = numbered(wished, number);
    return tx
      .insertInto("files")
      .values({ project_id: folder.project_id, parent_id: folder.id, is_folder: 0, name, name_key: fileNameKey(name), created_by: actor.accountId, created_at: clock.now() })
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async function fileToFill(tx: Tx, actor: Actor, to: Destination): Promise<Row<"files">> {
    if ("versionOf" in to) {
      const file = await fileFor(tx, actor, "file.create", to.versionOf);
      if (file.is_folder === 1) throw invalid("version_of", "must be a file");
      await deps.events.lock(tx, topicOf.project(file.project_id));
      return fileFor(tx, actor, "file.create", to.versionOf);
    }
    const name = demandGoodName(to.name, "name");
    const folder = "chatOf" in to ? await chatFolder(tx, actor, to.chatOf) : await folderFor(tx, deps, actor, "file.create", to.parentId, "parent_id");
    return newFile(tx, actor, folder, name);
  }

  return {
    /** Asked before the first byte is taken; asked again when the last one is there. */
    async demandPossible(actor: Actor, to: Destination, bytes: number | undefined): Promise<void> {
      const { read } = database;
      if (bytes !== undefined && bytes > deps.limits.uploadBytes) throw new Fault(413, `The file is larger than the ${deps.limits.uploadBytes.toLocaleString("en")} bytes that are allowed.`);
      if ("versionOf" in to) {
        if ((await fileFor(read, actor, "file.create", to.versionOf)).is_folder === 1) throw invalid("version_of", "must be a file");
      } else {
        demandGoodName(to.name, "name");
        if ("chatOf" in to) await projectFor(read, actor, "file.create", to.chatOf);
        else if ((await fileFor(read, actor, "file.create", to.parentId)).is_folder === 0) throw invalid("parent_id", "must be a folder");
      }
      await demandRoom(read, actor.organisationId, bytes ?? 0);
    },

    /** Makes the stored bytes a file. If this fails the caller removes the blob. */
    accept(actor: Actor, to: Destination, blob: StoredBlob, uploadId: string | null = null): Promise<Uploaded> {
      return database.write(async (tx) => {
        const now = clock.now();
        const file = await fileToFill(tx, actor, to);
        await demandRoom(tx, actor.organisationId, blob.size);
        await tx.insertInto("blobs").values({ key: blob.key, organisation_id: actor.organisationId, size: blob.size, sha256: blob.sha256, created_at: now }).execute();
        const newest = await tx.selectFrom("file_versions").select("number").where("file_id", "=", file.id).orderBy("number", "desc").limit(1).executeTakeFirst();
        const version = await tx
          .insertInto("file_versions")
          .values({ file_id: file.id, number: (newest?.number ?? 0) + 1, blob_key: blob.key, size: blob.size, created_by: actor.accountId, created_at: now })
          .returningAll()
          .executeTakeFirstOrThrow();
        const filled = await tx
          .updateTable("files")
          .set((eb) => ({ version_id: version.id, revision: eb("revision", "+", 1) }))
          .where("id", "=", file.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await deps.queue.add(tx, now, MEDIA_JOB, version.id);
        const view = await announce(tx, deps, version.number === 1 ? "file.created" : "file.updated", filled);
        await recordOutbound(tx, now, actor.organisationId, "file.uploaded", presentFileVersionEvent(deps.present.presentFile(view), actor.accountId, now, version.number));
        if (uploadId !== null) await tx.updateTable("uploads").set({ file_id: file.id, version: version.number }).where("id", "=", uploadId).execute();
        return { fileId: file.id, version: version.number };
      });
    },

    /** Notes a resumable upload before its first byte. */
    async begin(actor: Actor, id: string, to: Destination, size: number): Promise<void> {
      await this.demandPossible(actor, to, size);
      await database.write((tx) => tx.insertInto("uploads").values({ id, account_id: actor.accountId, destination: JSON.stringify(to), size, created_at: clock.now() }).execute());
    },

    /** The actor's own upload, else a 404. */
    async underWay(actor: Actor, id: string): Promise<{ to: Destination; size: number; done: Uploaded | null }> {
      can(actor, "file.create");
      const row = await database.read.selectFrom("uploads").selectAll().where("id", "=", id).where("account_id", "=", actor.accountId).executeTakeFirst();
      if (!row) throw notFound("upload");
      return {
        to: JSON.parse(row.destination) as Destination,
        size: row.size,
        done: row.file_id === null || row.version === null ? null : { fileId: row.file_id, version: row.version },
      };
    },

    /** Forgets an upload that was given up. */
    async forget(id: string): Promise<void> {
      await database.write((tx) => tx.deleteFrom("uploads").where("id", "=", id).where("file_id", "is", null).execute());
    },
  };
}
