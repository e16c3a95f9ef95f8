/**
 * Which voice note plays when one has ended, as people know it from their phones: those that follow each other are one talk. The next one plays
 * if nothing else was said between; one's own are passed over, since nobody listens to themselves; never backward.
 */
import type { Attachment, Message } from "../../../../contract/records.ts";
import { hasFailed } from "../../../queries/files/state.ts";
import { getVoiceAttachment } from "../../../parts/voice/voice-track.ts";

export interface NextVoiceNote {
  message: Message;
  attachment: Attachment;
}

/** `messages` in their order; null where the talk ends. */
export function findNextVoiceNote(messages: readonly Message[], endedFileId: number, accountId: number): NextVoiceNote | null {
  const endedIndex = messages.findLastIndex((message) => getVoiceAttachment(message)?.id === endedFileId);
  if (endedIndex < 0) return null;
  for (const message of messages.slice(endedIndex + 1)) {
    if (message.deleted) continue;
    const attachment = getVoiceAttachment(message);
    if (!attachment) return null;
    // What could not be read does not sound; the talk goes on behind it.
    if (hasFailed(attachment.transcoding_status)) continue;
    if (message.account_id !== accountId) return { message, attachment };
  }
  return null;
}
