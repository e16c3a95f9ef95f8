import { useEffect, useEffectEvent } from "react";
import type { Message } from "../../../../contract/records.ts";
import { player } from "../../../audio/player.ts";
import { voiceTrack } from "../../../parts/voice/voice-track.ts";
import { nextVoiceNote } from "../model/play-on.ts";

/** While the chat is open, a voice note that ends leads on to the next one. */
export function usePlayOn(messages: readonly Message[] | undefined, accountId: number, nameOf: (accountId: number) => string): void {
  const onEnded = useEffectEvent((fileId: number) => {
    const next = messages && nextVoiceNote(messages, fileId, accountId);
    if (next) player.play(voiceTrack(next.message, next.attachment, nameOf(next.message.account_id)), 0);
  });
  useEffect(() => player.onEnded(({ fileId }) => onEnded(fileId)), []);
}
