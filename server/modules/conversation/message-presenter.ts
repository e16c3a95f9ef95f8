/** Presents messages as wire records, for responses and live events. */
import type * as wire from "../../../contract/records.ts";
import { iso } from "../../lib/iso-time.ts";
import type { QuotedMessage, MessageView } from "./message-view.ts";
import type { SharedComment } from "./shared-comments.ts";

/** A mention cut off at the end of the excerpt. */
const CUT_MENTION = /<(@\d*)?$/;

/** Groups reactions by emoji, in the order in which each emoji was first used. */
const groupByEmoji = (reactions: MessageView["reactions"]): wire.Reaction[] =>
  [...Map.groupBy(reactions, ({ emoji }) => emoji)].map(([emoji, sameEmoji]) => ({ emoji, account_ids: sameEmoji.map(({ accountId }) => accountId) }));

function presentQuote({ id, accountId, deleted, isAudio, mentions, duration, ...parent }: QuotedMessage): wire.Quote {
  const excerpt = deleted ? "" : parent.excerpt.replace(CUT_MENTION, "");
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
  return { ...shown, excerpt: deleted_at === null ? excerpt : "", deleted: deleted_at !== null };
}

/** A deleted message keeps its position and loses its text. */
export function presentMessage({ row, attachments, reactions, mentions, quoted, sharedComment: shown }: MessageView): wire.Message {
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
  };
}
