import { useCallback, useEffectEvent, type KeyboardEvent } from "react";
import type { CommentsRoom } from "./comments-room.ts";
import type { Thread } from "./model/threads.ts";
import { reveal } from "./reveal.ts";

/** Moving between comments and acting on one by keys, which hold only while a row has the focus. */
export function useRowKeys({ shown, act, rightsOf, composer, reached: last, reach }: CommentsRoom) {
  const reached = shown.some(({ key }) => key === last) ? last : (shown[0]?.key ?? null);

  const taken = useEffectEvent((event: KeyboardEvent, thread: Thread): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const index = shown.indexOf(thread);
    const move = (to: Thread | undefined) => to && reveal(to.key);
    const there = thread.comment !== null && !thread.comment.deleted;
    if (key === "ArrowDown") move(shown[index + 1]);
    else if (key === "ArrowUp") move(shown[index - 1]);
    else if (key === "Enter") act.open(thread, { fromList: true });
    else if (key === "Escape") composer.current?.focus();
    else if (!there) return false;
    else if (key === "r") act.startReply(thread);
    else if (key === "c") act.copyLink(thread);
    else if (key === "d" && rightsOf(thread).resolve) act.resolve(thread, thread.comment?.resolved_at === null);
    else if (key === "e" && rightsOf(thread).edit) act.startEdit(thread);
    else if ((key === "Delete" || key === "Backspace") && rightsOf(thread).delete) act.remove(thread);
    else return false;
    return true;
  });
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- it is only called by events
  const onKey = useCallback((event: KeyboardEvent, thread: Thread) => taken(event, thread), []);
  return { reached, onReached: reach, onKey };
}
