import { useEffect, useState, useSyncExternalStore, type RefObject } from "react";
import { isAttentive, onAttention } from "../../../lib/attention.ts";
import { useReadComments } from "../../../queries/comments/use-read-comments.ts";
import type { CommentsRoom } from "./comments-room.ts";

/** Marks what is there as read once somebody has the list before their eyes. */
export function useSeen({ fileId, accountId, lastRead, threads }: CommentsRoom, list: RefObject<HTMLElement | null>): void {
  const attentive = useSyncExternalStore(onAttention, isAttentive);
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, [list]);
  const notes = (threads ?? []).flatMap((thread) => [thread, ...thread.replies]);
  // One's own are never unread.
  const others = notes.flatMap(({ comment }) => (comment && comment.account_id !== accountId && !comment.deleted ? comment.id : []));
  useReadComments(fileId, lastRead, attentive && inView && others.length > 0 ? Math.max(...others) : null);
}
