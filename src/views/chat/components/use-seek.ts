import { useMemo } from "react";
import type { Message } from "../../../../contract/records.ts";
import { player } from "../../../audio/player.ts";
import { attachmentToTrack } from "../../../parts/attachments/track.ts";
import { isDeleted } from "../../../queries/files/cache.ts";

/** Returns a function that plays a message's audio from a second on, preferring the current track; undefined if the message has no audio. */
export function useSeek({ attachments, chat_id: projectId }: Message): ((seconds: number) => void) | undefined {
  return useMemo(() => {
    const tracks = attachments.flatMap((attachment) =>
      attachment.audio && !isDeleted(attachment) ? attachmentToTrack(attachment, attachment.audio, projectId) : [],
    );
    if (tracks.length === 0) return undefined;
    return (seconds: number) => {
      const currentFileId = player.state().track?.fileId;
      player.play(tracks.find(({ fileId }) => fileId === currentFileId) ?? tracks[0]!, seconds);
    };
  }, [attachments, projectId]);
}
