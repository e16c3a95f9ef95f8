/** What everything that shows comments of a file shares: lane, list and composer. */
import { createContext, use, type RefObject } from "react";
import type { Mark } from "../../../queries/drafts/comment-drafts.ts";
import type { Edit } from "../../../queries/drafts/edits.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { Clock } from "./clock.ts";
import type { Filter } from "./model/filter.ts";
import type { CommentRights } from "./model/rights.ts";
import type { Note, Thread } from "./model/threads.ts";

export interface CommentActs {
  /** Goes to its moment, and shows it in the list where it was not pressed there. */
  open(thread: Thread, from: { fromList: boolean }): void;
  select(key: string | null): void;
  startReply(thread: Thread): void;
  /** Closes the field; what stands in it is kept. */
  leaveReply(): void;
  sendReply(thread: Thread, body: string): Promise<unknown>;
  startEdit(note: Note): void;
  typeEdit(note: Note, text: string): void;
  saveEdit(note: Note, body: string): void;
  leaveEdit(note: Note): void;
  remove(note: Note): void;
  resolve(thread: Thread, resolved: boolean): void;
  copyText(note: Note): void;
  copyLink(note: Note): void;
  showInChat(note: Note): void;
  retry(note: Note): void;
  discard(note: Note): void;
  /** Back into the field that it came from. */
  takeBack(note: Note): void;
}

export interface CommentsRoom {
  fileId: number;
  projectId: number;
  /** The version that is shown, which new comments are about. */
  version: number;
  clock: Clock | null;
  accountId: number;
  /** Undefined while nothing is known. */
  threads: readonly Thread[] | undefined;
  /** What the filter leaves of them. */
  shown: readonly Thread[];
  openCount: number;
  filter: Filter;
  setFilter(filter: Filter): void;
  error: unknown;
  refetch(): void;
  /** The comment that the address leads to; `missing`: it is not there. */
  linkedId: number | null;
  missing: boolean;
  /** The newest comment that this reader has read; 0: none. */
  lastRead: number;
  selected: string | null;
  /** The row that had the focus last. */
  reached: string | null;
  reach(key: string): void;
  /** Id of the comment that is being answered. */
  replying: number | null;
  /** Those that are being changed, by id. */
  edits: ReadonlyMap<number, Edit>;
  isUnread(note: Note): boolean;
  rightsOf(note: Note): CommentRights;
  personOf(note: Note): Person;
  draft: { text: string; mark: Mark };
  composer: RefObject<HTMLTextAreaElement | null>;
  typed(text: string): void;
  mark(change: (mark: Mark) => Mark): void;
  /** The composer was left. */
  left(): void;
  send(body: string): void;
  /** To the composer, at the moment that is heard. */
  compose(): void;
  /** To the composer, with a range (milliseconds) that was drawn. */
  composeRange(from: number, to: number): void;
  act: CommentActs;
}

export const CommentsContext = createContext<CommentsRoom | null>(null);

/** Null where a service has no comments. */
export const useMaybeComments = (): CommentsRoom | null => use(CommentsContext);

export function useCommentsRoom(): CommentsRoom {
  const room = use(CommentsContext);
  if (!room) throw new Error("Comments are shown outside of their room");
  return room;
}
