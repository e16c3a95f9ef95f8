/** A message as it crosses the wire, for answers and live events alike. */
import type * as wire from "../../contract/records.ts";
import type { MessageRow } from "../domain/chat/message-columns.ts";
import { iso } from "./records.ts";

/** A mention that the excerpt's end has cut. */
const CUT_MENTION = /<(@\d*)?$/;

const peopleOf = (lists: string): number[] => (JSON.parse(lists) as [number][]).map(([account]) => account);

/** By emoji, in the order in which each was first used. */
function reactionsOf(lists: string): wire.Reaction[] {
  const byEmoji = new Map<string, number[]>();
  for (const [emoji, account] of JSON.parse(lists) as [string, number][]) byEmoji.set(emoji, [...(byEmoji.get(emoji) ?? []), account]);
  return [...byEmoji].map(([emoji, account_ids]) => ({ emoji, account_ids }));
}

function quoteOf(row: MessageRow): wire.Quote | null {
  if (row.parent_id === null || row.parent_excerpt === null) return null;
  const deleted = row.parent_deleted_at !== null;
  const excerpt = deleted ? "" : row.parent_excerpt.replace(CUT_MENTION, "");
  return {
    id: row.parent_id,
    account_id: row.parent_account_id ?? 0,
    excerpt,
    mentions: peopleOf(row.parent_mentions ?? "[]").filter((account) => excerpt.includes(`<@${account}>`)),
    deleted,
    is_audio_message: row.parent_is_audio === 1,
    attachment_name: deleted ? null : row.parent_attachment,
  };
}

/** A deleted message keeps its place and loses what it said. */
export function presentMessage(row: MessageRow, attachments: wire.Attachment[] = []): wire.Message {
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
    reactions: deleted ? [] : reactionsOf(row.reactions),
    mentions: deleted ? [] : peopleOf(row.mentions),
    parent: quoteOf(row),
  };
}
