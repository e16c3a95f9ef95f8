/** Defines the context shared by the comment timeline, list, and composer of a file. */
import { createContext, use, type RefObject } from "react";
import type { Person } from "../../../queries/members.ts";
import type { CommentAnchor } from "../../../sync/drafts/use-comment-draft.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import type { Clock } from "./playback.ts";
import type { CommentItem, CommentPermissions, Filter, Thread } from "./threads.ts";

export interface CommentActions {
  /** Seeks to the comment's position. Also scrolls the list to the comment unless the click came from the list. */
  open(thread: Thread, from: { fromList: boolean }): void;
  select(key: string | null): void;
  startReply(thread: Thread): void;
  /** Closes the reply form and keeps its draft. */
  closeReply(): void;
  sendReply(thread: Thread, body: string): Promise<unknown>;
  startEdit(item: CommentItem): void;
  setEditText(item: CommentItem, text: string): void;
  saveEdit(item: CommentItem, body: string): void;
  cancelEdit(item: CommentItem): void;
  remove(item: CommentItem): void;
  resolve(thread: Thread, resolved: boolean): void;
  copyText(item: CommentItem): void;
  copyLink(item: CommentItem): void;
  showInChat(item: CommentItem): void;
  retry(item: CommentItem): void;
  discard(item: CommentItem): void;
  /** Removes the pending comment from the outbox and returns its text to the form it came from. */
  undoSend(item: CommentItem): void;
}

export interface CommentsContextValue {
  fileId: number;
  projectId: number;
  /** The version shown, which is the default version for new comments. */
  version: number;
  clock: Clock | null;
  accountId: number;
  /** Undefined until loaded. */
  threads: readonly Thread[] | undefined;
  /** The threads that pass the filter. */
  visibleThreads: readonly Thread[];
  openCount: number;
  filter: Filter;
  setFilter(filter: Filter): void;
  error: unknown;
  refetch(): void;
  /** The comment named in the URL. `isLinkedCommentMissing` is true if that comment does not exist. */
  linkedId: number | null;
  isLinkedCommentMissing: boolean;
  /** Id of the newest comment the user has read; 0 for none. */
  lastRead: number;
  selectedKey: string | null;
  /** The row that was focused last. */
  lastFocusedKey: string | null;
  setLastFocusedKey(key: string): void;
  /** Id of the comment with an open reply form. */
  replyingTo: number | null;
  /** Open edits by comment id. */
  edits: ReadonlyMap<number, Edit>;
  isUnread(item: CommentItem): boolean;
  permissionsOf(item: CommentItem): CommentPermissions;
  personOf(item: CommentItem): Person;
  draft: { text: string; mark: CommentAnchor };
  composerRef: RefObject<HTMLTextAreaElement | null>;
  setText(text: string): void;
  mark(change: (mark: CommentAnchor) => CommentAnchor): void;
  /** Handles a blur of the composer. */
  handleBlur(): void;
  send(body: string): void;
  /** Focuses the composer and anchors an unanchored draft at the playback position. */
  compose(): void;
  /** Focuses the composer and anchors the draft at the given range in milliseconds. */
  composeRange(from: number, to: number): void;
  actions: CommentActions;
}

export const CommentsContext = createContext<CommentsContextValue | null>(null);

/** Returns null when the service has no comments. */
export const useOptionalCommentsContext = (): CommentsContextValue | null => use(CommentsContext);

export function useCommentsContext(): CommentsContextValue {
  const context = use(CommentsContext);
  if (!context) throw new Error("useCommentsContext needs a CommentsProvider");
  return context;
}
