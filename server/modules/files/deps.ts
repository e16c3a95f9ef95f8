/** Dependencies of the files module, and of modules that show files, beyond those shared by all modules. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Queue } from "../../jobs/queue.ts";
import type { Storage } from "../../storage/storage.ts";
import { loadAttachmentsOfFile } from "./attachments.ts";
import type { FilesViewEntry, FilePresenters } from "./presenter.ts";
import { loadFilesViewEntry } from "./repository.ts";

export interface FileViewDeps extends ModuleDeps {
  /** Media URLs depend on the service's public URL. */
  present: FilePresenters;
}

export interface FilesDeps extends FileViewDeps {
  storage: Storage;
  queue: Queue;
  limits: { maxUploadBytes: number; quotaBytes: number };
  /** Republishes messages that show a comment; the caller must have locked the project's topic. */
  republishSharedComments(tx: Tx, projectId: number, commentId: number): Promise<void>;
}

/** Publishes the current state of a file to everyone in the project, and after an update also its attachments in messages. */
export async function publishFileEvent(tx: Tx, deps: FilesDeps, type: "file.created" | "file.updated", file: Row<"files">): Promise<FilesViewEntry> {
  const view = await loadFilesViewEntry(tx, file);
  const topic = topicOf.project(file.project_id);
  await deps.events.append(tx, topic, type, deps.present.presentEntry(view));
  if (type === "file.updated")
    for (const attachment of await loadAttachmentsOfFile(tx, deps.present, file.id)) await deps.events.append(tx, topic, "attachment.updated", attachment);
  return view;
}
