/** What somebody may do with a comment, as the interface offers it. The service decides again for itself. */
import type { Note } from "./threads.ts";

export interface CommentRights {
  edit: boolean;
  delete: boolean;
  resolve: boolean;
}

interface Who {
  accountId: number;
  manages: boolean;
  isGuest: boolean;
}

export function rightsOver({ comment, accountId: writer }: Note, { accountId, manages, isGuest }: Who): CommentRights {
  const own = writer === accountId;
  const there = comment !== null && !comment.deleted;
  const root = comment !== null && comment.parent_comment_id === null;
  return { edit: there && own, delete: there && (own || manages), resolve: root && there && (own || !isGuest) };
}
