/** What the files room needs besides the common things. */
import type { Queue } from "../../jobs/queue.ts";
import type { EntryView } from "../../presenters/files.ts";
import type { Storage } from "../../storage/storage.ts";
import type { DomainDeps } from "../deps.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { loadAttachmentsOfFile } from "../attachments.ts";
import { topicOf } from "../../events/log.ts";
import { loadEntryView } from "./repository.ts";

export interface FilesDeps extends DomainDeps {
  storage: Storage;
  queue: Queue;
  limits: { uploadBytes: number; organisationBytes: number };
  /** Tells again of the messages that show a comment; the project's topic is locked. */
  republishSharedComments(tx: Tx, projectId: number, commentId: number): Promise<void>;
}

/** Tells everybody in the project how the file stands now, also where messages carry it. */
export async function publishFileEvent(tx: Tx, deps: FilesDeps, type: "file.created" | "file.updated", file: Row<"files">): Promise<EntryView> {
  const view = await loadEntryView(tx, file);
  const topic = topicOf.project(file.project_id);
  await deps.events.append(tx, topic, type, deps.present.presentEntry(view));
  if (type === "file.updated")
    for (const attachment of await loadAttachmentsOfFile(tx, deps.present, file.id)) await deps.events.append(tx, topic, "attachment.updated", attachment);
  return view;
}
