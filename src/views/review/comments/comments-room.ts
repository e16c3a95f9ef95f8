/** What everything that shows comments of a file shares: lane, list and composer. */
import { createContext, use, type RefObject } from "react";
import type { CommentAnchor } from "../../../queries/drafts/comment-drafts.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { Clock } from "./clock.ts";
import type { Filter } from "./model/filter.ts";
import type { CommentPermissions } from "./model/rights.ts";
import type { CommentItem, Thread } from "./model/threads.ts";

export interface CommentActions {
  /** Goes to its moment, and shows it in the list where it was not pressed there. */
  open(thread: Thread, from: { fromList: boolean }): void;
  select(key: string | null): void;
  startReply(thread: Thread): void;
  /** Closes the field; what stands in it is kept. */
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
  /** Back into the field that it came from. */
  undoSend(item: CommentItem): void;
}

export interface CommentsContextValue {
  fileId: number;
  projectId: number;
  /** The version that is shown, which new comments are about. */
  version: number;
  clock: Clock | null;
  accountId: number;
  /** Undefined while nothing is known. */
  threads: readonly Thread[] | undefined;
  /** What the filter leaves of them. */
  visibleThreads: readonly Thread[];
  openCount: number;
  filter: Filter;
  setFilter(filter: Filter): void;
  error: unknown;
  refetch(): void;
  /** The comment that the address leads to; `isLinkedCommentMissing`: it is not there. */
  linkedId: number | null;
  isLinkedCommentMissing: boolean;
  /** The newest comment that this reader has read; 0: none. */
  lastRead: number;
  selectedKey: string | null;
  /** The row that had the focus last. */
  lastFocusedKey: string | null;
  setLastFocusedKey(key: string): void;
  /** Id of the comment that is being answered. */
  replyingTo: number | null;
  /** Those that are being changed, by id. */
  edits: ReadonlyMap<number, Edit>;
  isUnread(item: CommentItem): boolean;
  permissionsOf(item: CommentItem): CommentPermissions;
  personOf(item: CommentItem): Person;
  draft: { text: string; mark: CommentAnchor };
  composerRef: RefObject<HTMLTextAreaElement | null>;
  setText(text: string): void;
  mark(change: (mark: CommentAnchor) => CommentAnchor): void;
  /** The composer was left. */
  handleBlur(): void;
  send(body: string): void;
  /** To the composer, at the moment that is heard. */
  compose(): void;
  /** To the composer, with a range (milliseconds) that was drawn. */
  composeRange(from: number, to: number): void;
  actions: CommentActions;
}

export const CommentsContext = createContext<CommentsContextValue | null>(null);

/** Null where a service has no comments. */
export const useOptionalCommentsContext = (): CommentsContextValue | null => use(CommentsContext);

export function useCommentsContext(): CommentsContextValue {
  const context = use(CommentsContext);
  if (!context) throw new Error("Comments are shown outside of their room");
  return context;
}
