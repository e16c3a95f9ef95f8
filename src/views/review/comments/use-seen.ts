import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";
import { isPageVisible, onPageVisibilityChange } from "../../../lib/attention.ts";
import { useReadComments } from "../../../queries/comments/use-read-comments.ts";
import type { CommentsContextValue } from "./comments-room.ts";

/** Marks comments as read while the page is visible and the list is in view. */
export function useMarkAsRead({ fileId, accountId, lastRead, threads }: CommentsContextValue, listRef: RefObject<HTMLElement | null>): void {
  const pageVisible = useSyncExternalStore(onPageVisibilityChange, isPageVisible);
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
    observer.observe(listRef.current!);
    return () => observer.disconnect();
  }, [listRef]);
  const items = (threads ?? []).flatMap((thread) => [thread, ...thread.replies]);
  // The user's own comments are never unread.
  const otherCommentIds = items.flatMap(({ comment }) => (comment && comment.account_id !== accountId && !comment.deleted ? comment.id : []));
  useReadComments(fileId, lastRead, pageVisible && inView && otherCommentIds.length > 0 ? Math.max(...otherCommentIds) : null);
}
