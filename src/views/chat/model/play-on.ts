/**
 * Finds the voice note that plays after one ends, as phone messengers do: the next in a run of voice notes. Any other message ends the run, one's own
 * voice notes are skipped, and playback never goes backward.
 */
import type { Attachment, Message } from "../../../../contract/records.ts";
import { hasFailed } from "../../../queries/files/state.ts";
import { getVoiceAttachment } from "../../../parts/voice/voice-track.ts";

export interface NextVoiceNote {
  message: Message;
  attachment: Attachment;
}

/** Expects `messages` in chronological order; returns null at the end of the run. */
export function findNextVoiceNote(messages: readonly Message[], endedFileId: number, accountId: number): NextVoiceNote | null {
  const endedIndex = messages.findLastIndex((message) => getVoiceAttachment(message)?.id === endedFileId);
  if (endedIndex < 0) return null;
  for (const message of messages.slice(endedIndex + 1)) {
    if (message.deleted) continue;
    const attachment = getVoiceAttachment(message);
    if (!attachment) return null;
    // A voice note that failed to process cannot play, so the run continues after it.
    if (hasFailed(attachment.transcoding_status)) continue;
    if (message.account_id !== accountId) return { message, attachment };
  }
  return null;
}
