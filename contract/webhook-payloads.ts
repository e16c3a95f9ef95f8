/** The `data` of each webhook event. The service document (6) has that of `file.status_changed`; the others are extensions. */
import * as z from "zod/mini";
import { fileRecord, fileStatus } from "./records.ts";
import { task } from "./task-records.ts";
import { id, timestamp } from "./text.ts";
import type { WebhookEventType } from "./webhook-events.ts";

const file = { ...fileRecord.shape, changed_by_account_id: id };

export const WEBHOOK_EVENT_DATA = {
  "file.uploaded": z.looseObject({ ...file, upload_time: timestamp }),
  "file.renamed": z.looseObject({ ...file, old_name: z.string(), new_name: z.string(), renamed_time: timestamp }),
  /** `old_status` is null if the file had none. */
  "file.status_changed": z.looseObject({ ...file, old_status: z.nullable(fileStatus), new_status: fileStatus, change_status_time: timestamp }),
  "task.closed": z.looseObject({ ...task.shape, changed_by_account_id: id }),
} as const satisfies Record<WebhookEventType, z.ZodMiniType>;
