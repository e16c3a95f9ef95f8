import { useMemo } from "react";
import type { Message } from "../../../../contract/records.ts";
import { usePlayer, usePlayerValue } from "../../../audio/player/use-player.ts";
import type { TimeLinks } from "../../../components/message-text/MessageText.tsx";
import { attachmentToTrack } from "../../../components/attachment-track.ts";
import { isDeleted } from "../../../queries/files/file-updates.ts";
import { useChat } from "../chat-context.ts";
import { createVoiceTrack, getVoiceAttachment } from "./tracks.ts";

/** Returns what plays the audio of a message from a time: of several files the one that is current, else the first that is long enough. */
export function useTimeLinks(source: Message | undefined): TimeLinks | undefined {
  const player = usePlayer();
  const { nameOf } = useChat();
  const tracks = useMemo(() => {
    if (!source) return [];
    const voice = getVoiceAttachment(source);
    if (voice) return voice.audio ? [createVoiceTrack(source, voice, nameOf(source.account_id), voice.audio)] : [];
    return source.attachments.flatMap((attachment) =>
      attachment.audio && !isDeleted(attachment) ? attachmentToTrack(attachment, attachment.audio, source.chat_id) : [],
    );
  }, [source, nameOf]);
  const currentId = usePlayerValue(({ track }) => (tracks.length > 1 && tracks.some(({ fileId }) => fileId === track?.fileId) ? track?.fileId : undefined));
  return useMemo(() => {
    if (tracks.length === 0) return undefined;
    const trackAt = (seconds: number) => {
      const longEnough = tracks.filter(({ duration }) => seconds <= duration);
      return longEnough.find(({ fileId }) => fileId === currentId) ?? longEnough[0];
    };
    return {
      nameAt: (seconds) => trackAt(seconds)?.name,
      play(seconds) {
        const track = trackAt(seconds);
        if (track) player.play(track, seconds);
      },
    };
  }, [player, tracks, currentId]);
}
