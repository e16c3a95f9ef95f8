/** Message views: loads messages with attachments, reactions, mentions, quote and shared comment, and presents them for responses and live events. */
import { sql } from "kysely";
import type * as wire from "../../../contract/records.ts";
import { padIds } from "../../db/engine-sql.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { Db } from "../../db/schema.ts";
import { notFound } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { withoutCutMention } from "../../lib/mention-text.ts";
import { loadAttachments } from "../files/attachments.ts";
import type { FilePresenters } from "../files/presenter.ts";
import { unreadMark } from "../projects/page-texts.ts";
import { findUnreadFileIds } from "../projects/unread.ts";
import { loadSharedComments, type SharedComment } from "./comment-repository.ts";
import { loadMessagePlaylists } from "./message-playlists.ts";
import { type MessageColumns, type MessageRow, selectMessages } from "./message-repository.ts";

/** The same for every reader, unless `personalizeMessages` returned it. */
export interface MessageView {
  row: MessageColumns;
  attachments: wire.Attachment[];
  /** Oldest first. */
  reactions: { emoji: string; accountId: number }[];
  /** Account ids. */
  mentions: number[];
  quoted: QuotedMessage | null;
  /** The comment shown by the message. */
  sharedComment: SharedComment | null;
  playlist: wire.MessagePlaylist | null;
}
/** A reply's quote of its parent. */
interface QuotedMessage {
  id: number;
  accountId: number;
  excerpt: string;
  deleted: boolean;
  isAudio: boolean;
  mentions: number[];
  /** The name of the first attachment, or of the playlist. */
  attachmentName: string | null;
  /** Duration of a voice note, in seconds. */
  duration: number | null;
}

interface RelatedRow {
  kind: "reaction" | "mention" | "hasAttachments" | "quotedFile";
  message_id: number;
  /** The emoji, or the name of a quoted file. */
  text: string;
  account_id: number;
  /** Duration of a quoted file, in seconds. */
  duration: number | null;
}

/** Reactions, mentions, attachment flags, and the parents' mentions and files in one statement, since most messages have none of them. */
const selectRelatedRows = (idCount: number, parentCount: number) =>
  prepareStatement<Record<string, number>, RelatedRow>((_db, values) => {
    const list = (name: string, count: number) => Array.from({ length: count }, (_, index) => values[`${name}${index}`]);
    const [ids, parentIds] = [list("id", idCount), list("parent", parentCount)];
    const parents =
      parentCount === 0
        ? sql``
        : sql`union all select 'quotedFile', a.message_id, f.name, 0, v.duration, a.position from attachments a join files f on f.id = a.file_id join file_versions v on v.id = a.version_id where a.message_id in (${sql.join(parentIds)})`;
    return sql<RelatedRow>`
      select 'reaction' as kind, message_id, emoji as text, account_id, cast(null as double precision) as duration, created_at as position from reactions where message_id in (${sql.join(ids)})
      union all select 'mention', message_id, '', account_id, null, 0 from message_mentions where message_id in (${sql.join([...ids, ...parentIds])})
      union all select distinct 'hasAttachments', message_id, '', 0, cast(null as double precision), 0 from attachments where message_id in (${sql.join(ids)})
      ${parents} order by position, text, account_id`;
  });
/** By the numbers of ids, which are few because they are padded. */
const relatedRowStatements = new Map<string, ReturnType<typeof selectRelatedRows>>();

function loadRelatedRows(db: Db, ids: number[], parentIds: number[]): Promise<RelatedRow[]> {
  const [paddedIds, paddedParents] = [padIds(ids), padIds(parentIds)];
  const key = `${paddedIds.length} ${paddedParents.length}`;
  const statement = relatedRowStatements.get(key) ?? selectRelatedRows(paddedIds.length, paddedParents.length);
  relatedRowStatements.set(key, statement);
  const named = (name: string, values: number[]) => values.map((value, index) => [`${name}${index}`, value] as const);
  return statement(db, Object.fromEntries([...named("id", paddedIds), ...named("parent", paddedParents)]));
}

const groupByMessage = (relatedRows: readonly RelatedRow[], kind: RelatedRow["kind"]): Map<number, RelatedRow[]> =>
  Map.groupBy(
    relatedRows.filter((row) => row.kind === kind),
    (row) => row.message_id,
  );

/** Loads the views with one additional query for any number of messages, plus one each for attachments, shared comments and playlists, if there are any. */
export async function loadMessageViews(db: Db, present: FilePresenters, rows: readonly MessageRow[]): Promise<MessageView[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const relatedRows = await loadRelatedRows(db, ids, [...new Set(rows.flatMap(({ parent_id }) => parent_id ?? []))]);
  const [reactions, mentions, withAttachments, quotedFiles] = [
    groupByMessage(relatedRows, "reaction"),
    groupByMessage(relatedRows, "mention"),
    groupByMessage(relatedRows, "hasAttachments"),
    groupByMessage(relatedRows, "quotedFile"),
  ];
  const attachments = await loadAttachments(db, present, [...withAttachments.keys()]);
  const sharedComments = await loadSharedComments(
    db,
    rows.flatMap(({ comment_id }) => comment_id ?? []),
  );
  const playlists = await loadMessagePlaylists(
    db,
    rows.flatMap(({ playlist_id, parent_playlist_id }) => [playlist_id ?? [], parent_playlist_id ?? []].flat()),
  );
  const mentionsOf = (id: number) => (mentions.get(id) ?? []).map(({ account_id }) => account_id);

  const quotedMessage = (row: MessageRow): QuotedMessage | null =>
    row.parent_id === null || row.parent_excerpt === null
      ? null
      : {
          id: row.parent_id,
          accountId: row.parent_account_id ?? 0,
          excerpt: row.parent_excerpt,
          deleted: row.parent_deleted_at !== null,
          isAudio: row.parent_is_audio === 1,
          mentions: mentionsOf(row.parent_id),
          attachmentName: quotedFiles.get(row.parent_id)?.[0]?.text ?? (playlists.get(row.parent_playlist_id ?? 0)?.name || null),
          duration: row.parent_is_audio === 1 ? (quotedFiles.get(row.parent_id)?.[0]?.duration ?? null) : null,
        };
  return rows.map((row) => ({
    row,
    attachments: attachments.get(row.id) ?? [],
    reactions: (reactions.get(row.id) ?? []).map(({ text, account_id }) => ({ emoji: text, accountId: account_id })),
    mentions: mentionsOf(row.id),
    quoted: quotedMessage(row),
    sharedComment: row.comment_id === null ? null : (sharedComments.get(row.comment_id) ?? null),
    playlist: row.playlist_id === null ? null : (playlists.get(row.playlist_id) ?? null),
  }));
}

/** Returns the view of a new message to which nothing belongs but its text. `mentions`: ids of the mentioned accounts. */
export const plainMessageView = (row: MessageColumns, mentions: readonly number[]): MessageView => ({
  row,
  attachments: [],
  reactions: [],
  mentions: mentions.toSorted((a, b) => a - b),
  quoted: null,
  sharedComment: null,
  playlist: null,
});

/** Returns the current view of a message; throws a 404 if it does not exist. */
export async function loadMessageView(db: Db, present: FilePresenters, projectId: number, id: number): Promise<MessageView> {
  const rows = await selectMessages(db).where("messages.project_id", "=", projectId).where("messages.id", "=", id).execute();
  const [message] = await loadMessageViews(db, present, rows);
  if (!message) throw notFound("message");
  return message;
}

/**
 * Sets the members that depend on the reader: `has_unread_comments` of attachments. Call it only on views of a response to this reader, never on those
 * of an event.
 */
export async function personalizeMessages(db: Db, accountId: number, messages: readonly MessageView[]): Promise<MessageView[]> {
  const fileIds = [...new Set(messages.flatMap(({ attachments }) => attachments.map(({ id }) => id)))];
  const unreadIds = fileIds.length === 0 ? new Set<number>() : await findUnreadFileIds(db, accountId, fileIds);
  return messages.map((message) => ({
    ...message,
    attachments: message.attachments.map((attachment) => ({ ...attachment, has_unread_comments: unreadIds.has(attachment.id) })),
  }));
}

/** Sets marks for the same members, for a page that is kept for all readers. */
export const markUnread = (messages: readonly MessageView[]): MessageView[] =>
  messages.map((message) => ({
    ...message,
    attachments: message.attachments.map((attachment) => ({ ...attachment, has_unread_comments: unreadMark(attachment.id) })),
  }));

/** Groups reactions by emoji, in the order in which each emoji was first used. */
const groupByEmoji = (reactions: MessageView["reactions"]): wire.Reaction[] =>
  [...Map.groupBy(reactions, ({ emoji }) => emoji)].map(([emoji, sameEmoji]) => ({ emoji, account_ids: sameEmoji.map(({ accountId }) => accountId) }));

function presentQuote({ id, accountId, deleted, isAudio, mentions, duration, ...parent }: QuotedMessage): wire.Quote {
  const excerpt = deleted ? "" : withoutCutMention(parent.excerpt);
  return {
    id,
    account_id: accountId,
    excerpt,
    mentions: mentions.filter((account) => excerpt.includes(`<@${account}>`)),
    deleted,
    is_audio_message: isAudio,
    attachment_name: deleted ? null : parent.attachmentName,
    audio_duration: deleted ? null : duration,
  };
}

function presentSharedComment({ deleted_at, excerpt, ...shown }: SharedComment): wire.SharedComment {
  return { ...shown, excerpt: deleted_at === null ? withoutCutMention(excerpt) : "", deleted: deleted_at !== null };
}

/** A deleted message keeps its position and loses its text. */
export function presentMessage({ row, attachments, reactions, mentions, quoted, sharedComment: shown, playlist }: MessageView): wire.Message {
  const deleted = row.deleted_at !== null;
  return {
    id: row.id,
    chat_id: row.project_id,
    account_id: row.account_id,
    body: deleted ? "" : row.body,
    datetime: iso(row.created_at),
    edited: row.edited_at !== null,
    is_audio_message: row.is_audio_message === 1,
    type: row.type,
    parent_message_id: row.parent_id,
    parent_chat_id: row.parent_id === null ? null : row.project_id,
    parent_account_id: row.parent_account_id,
    attachments: deleted ? [] : attachments,
    client_id: row.client_id,
    revision: row.revision,
    deleted,
    edited_at: row.edited_at === null ? null : iso(row.edited_at),
    reactions: deleted ? [] : groupByEmoji(reactions),
    mentions: deleted ? [] : mentions,
    parent: quoted && presentQuote(quoted),
    ...(shown && !deleted ? { comment: presentSharedComment(shown) } : {}),
    ...(playlist && !deleted ? { playlist } : {}),
  };
}
