/** Defines the three contexts that the comment timeline, list, and composer of a file share: threads, composer, and interaction. */
import { type Context, createContext, use, type RefObject } from "react";
import type { Person } from "../../../queries/members.ts";
import type { CommentAnchor } from "../../../sync/drafts/use-comment-draft.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import type { CommentItem, Filter, Thread } from "./threads.ts";

export interface CommentActions {
  /** Seeks to the comment's position. Also scrolls the list to the comment and focuses it, unless the click came from the list. */
  open(thread: Thread, options: { isFromList: boolean }): void;
  startReply(thread: Thread): void;
  /** Closes the reply form and keeps its draft. */
  closeReply(): void;
  sendReply(thread: Thread, body: string): Promise<unknown>;
  startEdit(item: CommentItem): void;
  setEditText(item: CommentItem, text: string): void;
  saveEdit(item: CommentItem, body: string): void;
  cancelEdit(item: CommentItem): void;
  remove(item: CommentItem): void;
  resolve(thread: Thread, isResolved: boolean): void;
  copyText(item: CommentItem): void;
  copyLink(item: CommentItem): void;
  postInChat(item: CommentItem): void;
  retry(item: CommentItem): void;
  discard(item: CommentItem): void;
  /** Removes the pending comment from the outbox and returns its text to the form it came from. */
  undoSend(item: CommentItem): void;
}

/** The comments of the file as threads, and the filter of the list. */
interface CommentThreads {
  /** Undefined until loaded. */
  threads: readonly Thread[] | undefined;
  /** The threads that pass the filter. */
  visibleThreads: readonly Thread[];
  filter: Filter;
  setFilter(filter: Filter): void;
  error: unknown;
  refetch(): void;
  /** True if the comment named in the URL does not exist. */
  isLinkedCommentMissing: boolean;
  /** Id of the newest comment the user has read; 0 for none. */
  lastReadId: number;
  isUnread(item: CommentItem): boolean;
  personOf(item: CommentItem): Person;
}

/** The draft of a new comment, and the composer in which it is written. */
export interface CommentComposer {
  draft: { text: string; anchor: CommentAnchor };
  composerRef: RefObject<HTMLTextAreaElement | null>;
  setText(text: string): void;
  setAnchor(change: (anchor: CommentAnchor) => CommentAnchor): void;
  /** Releases an automatic anchor if the composer loses the focus without text. */
  handleBlur(): void;
  send(body: string): void;
  /** Focuses the composer and anchors an unanchored draft at the playback position. */
  compose(): void;
  /** Focuses the composer and anchors the draft at the given range in milliseconds. */
  composeRange(from: number, to: number): void;
}

/** Asks the list to scroll to a row and focus it as soon as it shows the row. A link leaves the focus to a user who is writing meanwhile. */
export interface RevealRequest {
  key: string;
  by: "link" | "user";
}

/** The user's state in the comment list (selected row, last focused row, open forms) and the comment actions. */
export interface CommentInteraction {
  selectedKey: string | null;
  /** The newest request to reveal a row. It stays after the list has handled it; null if there was none. */
  revealRequest: RevealRequest | null;
  /** The row that was focused last. */
  lastFocusedKey: string | null;
  setLastFocusedKey(key: string): void;
  /** Id of the comment with an open reply form. */
  replyingTo: number | null;
  /** Open edits by comment id. */
  edits: ReadonlyMap<number, Edit>;
  actions: CommentActions;
}

export const CommentThreadsContext = createContext<CommentThreads | null>(null);
export const CommentComposerContext = createContext<CommentComposer | null>(null);
export const CommentInteractionContext = createContext<CommentInteraction | null>(null);

/** Returns null if the service does not support comments; the other two contexts are then null too. */
export const useOptionalCommentComposer = (): CommentComposer | null => use(CommentComposerContext);

export const useCommentThreads = (): CommentThreads => useProvided(CommentThreadsContext);
export const useCommentComposer = (): CommentComposer => useProvided(CommentComposerContext);
export const useCommentInteraction = (): CommentInteraction => useProvided(CommentInteractionContext);

function useProvided<T>(context: Context<T | null>): T {
  const value = use(context);
  if (!value) throw new Error("Comments need a CommentsProvider");
  return value;
}
