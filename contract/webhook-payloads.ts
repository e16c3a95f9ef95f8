/**
 * The `data` of each webhook event. The service document (6) has that of `file.status_changed`; the others are extensions. Messages, comments and tasks are
 * the records that the live channel sends. Once such a text is edited or deleted, an attempt that is still to come has the current one.
 */
import * as z from "zod/mini";
import { comment } from "./comment-records.ts";
import { fileRecord, fileStatus, message } from "./records.ts";
import { task } from "./task-records.ts";
import { id, timestamp } from "./text.ts";
import type { WebhookEventType } from "./webhook-events.ts";

const file = { ...fileRecord.shape, changed_by_account_id: id };

export const WEBHOOK_EVENT_DATA = {
  "file.uploaded": z.looseObject({ ...file, upload_time: timestamp }),
  "file.renamed": z.looseObject({ ...file, old_name: z.string(), new_name: z.string(), renamed_time: timestamp }),
  /** `old_status` is null if the file had none. */
  "file.status_changed": z.looseObject({ ...file, old_status: z.nullable(fileStatus), new_status: fileStatus, change_status_time: timestamp }),
  "comment.created": z.looseObject({ ...comment.shape, file_name: z.string(), changed_by_account_id: id }),
  "message.created": z.looseObject({ ...message.shape, project_id: id, project_name: z.string(), changed_by_account_id: id }),
  "task.created": z.looseObject({ ...task.shape, changed_by_account_id: id }),
  "task.closed": z.looseObject({ ...task.shape, changed_by_account_id: id }),
} as const satisfies Record<WebhookEventType, z.ZodMiniType>;
