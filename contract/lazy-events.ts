/** Durable events that only some views show: a browser loads their schemas together with those views. */
import * as z from "zod/mini";
import { comment, commentsRead } from "./comment-records.ts";
import { id } from "./text.ts";
import { delivery, webhookEndpoint } from "./webhook-records.ts";

export const LAZY_EVENT_DATA = {
  /** Events on project:<id>. Deleting or restoring a file emits no events for its comments. */
  "comment.created": comment,
  /** Edited, resolved, reopened, deleted, restored, or shown in the chat. */
  "comment.updated": comment,
  /**
   * Events on account:<id>: the account's own read position in a file's comments, or a change of its unread state because a comment was deleted or
   * restored.
   */
  "comments.read": commentsRead,
  /** Events on organisation:<id>, withheld from accounts that may not manage webhooks. */
  "webhook_endpoint.updated": webhookEndpoint,
  "webhook_endpoint.deleted": z.looseObject({ id }),
  "delivery.updated": delivery,
} as const;
export type LazyEventType = keyof typeof LAZY_EVENT_DATA;
