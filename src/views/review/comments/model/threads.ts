/** What the list shows: each comment with its replies, and what is still on its way out in the place where it will stand. */
import type { Comment } from "../../../../../contract/comment-records.ts";
import type { OutboxEntry } from "../../../../queries/outbox/outbox.ts";

/** A comment or a reply, with the service or not yet. */
export interface Note {
  /** Stays the same when the service takes it. */
  key: string;
  accountId: number;
  body: string;
  /** Milliseconds of the sound or film; null: the whole file is meant. */
  at: number | null;
  /** Where a range ends. */
  end: number | null;
  version: number;
  createdAt: string | number;
  /** null: it is not with the service. */
  comment: Comment | null;
  /** null: it is. */
  entry: OutboxEntry | null;
}

export interface Thread extends Note {
  replies: readonly Note[];
}

const NONE: ReadonlySet<number> = new Set();
const keyOf = (accountId: number, clientId: string | null, id: number | null) => (clientId === null ? `#${id}` : `${accountId}:${clientId}`);

function noteOf(comment: Comment): Note {
  const { id, account_id: accountId, body, position_ms: at, end_ms: end, version, created_at: createdAt, client_id } = comment;
  return { key: keyOf(accountId, client_id ?? null, id), accountId, body, at, end, version, createdAt, comment, entry: null };
}

function pendingOf(entry: OutboxEntry): Note {
  const { accountId, body, writtenAt: createdAt, clientId, comment } = entry;
  const { at = null, end = null, version = 1 } = comment ?? {};
  return { key: keyOf(accountId, clientId, null), accountId, body, at, end, version, createdAt, comment: null, entry };
}

/**
 * `comments` by id. What has arrived is shown once; a deleted comment stays, without its words, for as long as it has replies.
 * `busy`: ids of comments that somebody is changing or answering here, which stay for as long.
 */
export function threadsOf(comments: readonly Comment[], pending: readonly OutboxEntry[], busy: ReadonlySet<number> = NONE): Thread[] {
  const arrived = new Set(comments.map((one) => keyOf(one.account_id, one.client_id ?? null, one.id)));
  const waiting = pending.map((entry) => ({ note: pendingOf(entry), to: entry.comment?.parentId ?? null })).filter(({ note }) => !arrived.has(note.key));
  const answers = new Map<number, Note[]>();
  const answer = (to: number, note: Note) => answers.set(to, [...(answers.get(to) ?? []), note]);
  for (const comment of comments)
    if (comment.parent_comment_id !== null && (!comment.deleted || busy.has(comment.id))) answer(comment.parent_comment_id, noteOf(comment));
  for (const { note, to } of waiting) if (to !== null) answer(to, note);

  const roots = comments
    .filter((one) => one.parent_comment_id === null && (!one.deleted || answers.has(one.id) || busy.has(one.id)))
    .map((one): Thread => ({ ...noteOf(one), replies: answers.get(one.id) ?? [] }));
  const known = new Set(comments.flatMap(({ id, parent_comment_id }) => (parent_comment_id === null ? [id] : [])));
  // Its thread is gone: what was written stays in sight until its writer decides.
  const alone = waiting.filter(({ to }) => to === null || !known.has(to)).map(({ note }): Thread => ({ ...note, replies: [] }));
  return inTimeOrder([...roots, ...alone]);
}

/** By their place in the sound; those of the whole file behind all others. Of the same place: as they were written, which is how they come. */
export function inTimeOrder<T extends Pick<Note, "at">>(notes: readonly T[]): T[] {
  const place = ({ at }: Pick<Note, "at">) => at ?? Number.POSITIVE_INFINITY;
  return notes.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

export const isResolved = ({ comment }: Note): boolean => comment !== null && comment.resolved_at !== null;

/** Nobody waits for anything in it: a comment that was deleted cannot be resolved any more. */
export const isSettled = (note: Note): boolean => isResolved(note) || note.comment?.deleted === true;

/** A comment and its replies. */
export const notesOf = (thread: Thread): readonly Note[] => [thread, ...thread.replies];
