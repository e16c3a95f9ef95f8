/** Messages with the files they carry, as routes and events tell them. */
import type { Attachment } from "../../../contract/records.ts";
import type { Engine } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { notFound } from "../../lib/faults.ts";
import type { FilePresenters } from "../../presenters/files.ts";
import { attachmentsOf } from "../attachments.ts";
import type { MessageRow } from "./message-columns.ts";
import { messageIn } from "./repository.ts";

/** A message with the files it carries. */
export interface SentMessage {
  row: MessageRow;
  attachments: Attachment[];
}

/** One more query, however many messages there are. */
export async function withAttachments(db: Db, present: FilePresenters, rows: MessageRow[]): Promise<SentMessage[]> {
  const attachments = await attachmentsOf(
    db,
    present,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ row, attachments: attachments.get(row.id) ?? [] }));
}

/** The message as it stands now; throws a 404. */
export async function sentMessage(db: Db, engine: Engine, present: FilePresenters, projectId: number, id: number): Promise<SentMessage> {
  const row = await messageIn(db, engine, projectId, id);
  if (!row) throw notFound("message");
  return { row, attachments: (await attachmentsOf(db, present, [id])).get(id) ?? [] };
}
