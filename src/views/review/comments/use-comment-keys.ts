import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from "react";
import { isInArea, isShortcutAllowed, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { useStableFunctions } from "../../../ui/use-stable-functions.ts";
import { useFileComments } from "./CommentsProvider.tsx";
import { adjacentStart } from "./playback.ts";
import { revealRow } from "./row-focus.ts";
import type { CommentItem, CommentPermissions, Thread } from "./threads.ts";

/**
 * Handles the page's comment keys: N and P jump to the next and previous comment. M opens the composer only in files without playback, because
 * otherwise the transport keys handle M. With an area, the keys apply only while it has the focus.
 */
export function useCommentKeys(area?: RefObject<HTMLElement | null>): void {
  const { visibleThreads, playback, canWrite, compose, actions } = useFileComments();
  useDocumentKeydown((event) => {
    if (!isShortcutAllowed(event) || !isInArea(event, area)) return;
    const key = event.key.toLowerCase();
    if (key === "m" && !playback && canWrite) {
      event.preventDefault();
      compose();
    } else if (playback && (key === "n" || key === "p")) {
      const targetMs = adjacentStart(visibleThreads, playback.state(), key === "n" ? 1 : -1);
      const thread = targetMs === null ? undefined : visibleThreads.find(({ startMs }) => startMs === targetMs);
      if (!thread) return;
      event.preventDefault();
      actions.open(thread, { isFromList: false });
    }
  });
}

/** Handles the keys for moving between comments and acting on them. The keys apply only while a row is focused. */
export function useRowKeys(permissionsOf: (item: CommentItem) => CommentPermissions) {
  const { visibleThreads, composerRef, actions, lastFocusedKey, setLastFocusedKey } = useFileComments();
  const tabStopKey = visibleThreads.some(({ key }) => key === lastFocusedKey) ? lastFocusedKey : (visibleThreads[0]?.key ?? null);
  const { onKey } = useStableFunctions({
    /** Returns whether the key was handled. */
    onKey(event: ReactKeyboardEvent, thread: Thread): boolean {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const index = visibleThreads.indexOf(thread);
      const move = (target: Thread | undefined) => target && revealRow(target.key);
      const exists = thread.comment !== null && !thread.comment.deleted;
      if (key === "ArrowDown") move(visibleThreads[index + 1]);
      else if (key === "ArrowUp") move(visibleThreads[index - 1]);
      else if (key === "Enter") actions.open(thread, { isFromList: true });
      else if (key === "Escape") composerRef.current?.focus();
      else if (!exists) return false;
      else if (key === "r" && permissionsOf(thread).canReply) actions.startReply(thread);
      else if (key === "c") actions.copyLink(thread);
      else if (key === "d" && permissionsOf(thread).canResolve) actions.resolve(thread, thread.comment?.resolved_at === null);
      else if (key === "e" && permissionsOf(thread).canEdit) actions.startEdit(thread);
      else if ((key === "Delete" || key === "Backspace") && permissionsOf(thread).canDelete) actions.remove(thread);
      else return false;
      return true;
    },
  });
  return { tabStopKey, onRowFocus: setLastFocusedKey, onKey };
}
