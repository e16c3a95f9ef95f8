import type { QueryClient } from "@tanstack/react-query";
import type { Comment } from "../../../contract/comment-records.ts";
import { writeComment } from "../../api/comments.ts";
import type { CommentPlace, OutboxEntry } from "../outbox/outbox.ts";
import { putComment } from "./put.ts";

/** Sends a comment of the outbox and shows it where it belongs. Rejects with what the service said. */
export async function sendComment(client: QueryClient, entry: OutboxEntry, place: CommentPlace): Promise<Comment> {
  const { fileId, version, at, end, parentId } = place;
  const where = parentId === null ? { version, position_ms: at, end_ms: end } : { parent_comment_id: parentId };
  // Another tab may have changed who is signed in.
  const comment = await writeComment(fileId, { body: entry.body, client_id: entry.clientId, ...where }, { accountId: entry.accountId });
  putComment(client, comment);
  return comment;
}
