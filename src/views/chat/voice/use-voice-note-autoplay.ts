import { useEffect, useEffectEvent } from "react";
import type { Message } from "../../../../contract/records.ts";
import { usePlayer } from "../../../audio/player/use-player.ts";
import { useClient } from "../../../client/client.ts";
import { hasFailed } from "../../../queries/files/file-updates.ts";
import { createVoiceTrack, getVoiceAudio, getVoiceAttachment } from "../message/tracks.ts";

/** Plays the next voice note when one ends, while the chat is open. */
export function useVoiceNoteAutoplay(messages: readonly Message[] | undefined, accountId: number | null, nameOf: (accountId: number) => string): void {
  const { viewMemory } = useClient();
  const player = usePlayer();
  const onEnded = useEffectEvent((fileId: number) => {
    const next = messages && findNextVoiceNote(messages, fileId, accountId);
    if (!next) return;
    const { message, attachment } = next;
    player.play(createVoiceTrack(message, attachment, nameOf(message.account_id), getVoiceAudio(viewMemory, attachment)), 0);
  });
  useEffect(() => player.onEnded(({ fileId }) => onEnded(fileId)), [player]);
}

/**
 * Finds the voice note that plays after one ends, as phone messengers do: the next in a run of voice notes. Any other message ends the run, one's own
 * voice notes are skipped, and playback never goes backward. Expects `messages` in chronological order; returns null at the end of the run.
 */
export function findNextVoiceNote(messages: readonly Message[], endedFileId: number, accountId: number | null) {
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
