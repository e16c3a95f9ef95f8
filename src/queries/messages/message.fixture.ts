/** Builds messages for tests. */
import type { Message } from "../../../contract/records.ts";

export function buildMessage(id: number, changes: Partial<Message> = {}): Message {
  return {
    id,
    chat_id: 1,
    account_id: 1,
    body: `message ${id}`,
    datetime: new Date(Date.UTC(2026, 10, 17, 9) + id * 60_000).toISOString(),
    edited: false,
    is_audio_message: false,
    type: "message",
    parent_message_id: null,
    parent_chat_id: null,
    parent_account_id: null,
    attachments: [],
    client_id: null,
    revision: 1,
    deleted: false,
    ...changes,
  };
}

/** A shared comment as its message shows it. */
export const sharedComment = {
  id: 5,
  file_id: 7,
  file_name: "mix.wav",
  version: 1,
  position_ms: 3_000,
  end_ms: null,
  account_id: 1,
  excerpt: "Bass is hot",
  deleted: false,
};
