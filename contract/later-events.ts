/** Durable events of which only some views show something: a browser loads their records with those. */
import * as z from "zod/mini";
import { comment, commentsRead } from "./comment-records.ts";
import { id } from "./text.ts";
import { delivery, webhookEndpoint } from "./webhook-records.ts";

export const LAZY_EVENT_DATA = {
  /** on project:<id>. A file's comments go and come with it, without a word here. */
  "comment.created": comment,
  /** Edited, resolved, opened again, deleted, brought back, shown in the chat. */
  "comment.updated": comment,
  /** on account:<id>: somebody's own reading of a file's comments, or what is unread there became none or some: one was deleted or brought back. */
  "comments.read": commentsRead,
  /** on organisation:<id>, withheld from who may not manage webhooks */
  "webhook_endpoint.updated": webhookEndpoint,
  "webhook_endpoint.deleted": z.looseObject({ id }),
  "delivery.updated": delivery,
} as const;
export type LazyEventType = keyof typeof LAZY_EVENT_DATA;
