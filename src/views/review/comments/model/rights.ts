/** Computes the comment actions the interface offers. The service enforces permissions independently. */
import type { CommentItem } from "./threads.ts";

export interface CommentPermissions {
  canEdit: boolean;
  canDelete: boolean;
  canResolve: boolean;
}

interface CurrentUser {
  accountId: number;
  canManage: boolean;
  isGuest: boolean;
}

export function commentPermissions({ comment, accountId: authorId }: CommentItem, { accountId, canManage, isGuest }: CurrentUser): CommentPermissions {
  const isOwn = authorId === accountId;
  const exists = comment !== null && !comment.deleted;
  const isRoot = comment !== null && comment.parent_comment_id === null;
  return { canEdit: exists && isOwn, canDelete: exists && (isOwn || canManage), canResolve: isRoot && exists && (isOwn || !isGuest) };
}
