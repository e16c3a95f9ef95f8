import { useEffect, useEffectEvent } from "react";
import type { Message } from "../../../../contract/records.ts";
import { player } from "../../../audio/player.ts";
import { createVoiceTrack } from "../../../parts/voice/voice-track.ts";
import { findNextVoiceNote } from "../model/play-on.ts";

/** Plays the next voice note when one ends, while the chat is open. */
export function useVoiceNoteAutoplay(messages: readonly Message[] | undefined, accountId: number, nameOf: (accountId: number) => string): void {
  const onEnded = useEffectEvent((fileId: number) => {
    const next = messages && findNextVoiceNote(messages, fileId, accountId);
    if (next) player.play(createVoiceTrack(next.message, next.attachment, nameOf(next.message.account_id)), 0);
  });
  useEffect(() => player.onEnded(({ fileId }) => onEnded(fileId)), []);
}
