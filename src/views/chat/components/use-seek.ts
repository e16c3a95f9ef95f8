import { useMemo } from "react";
import type { Message } from "../../../../contract/records.ts";
import { player } from "../../../audio/player.ts";
import { trackOf } from "../../../parts/attachments/track.ts";
import { isDeleted } from "../../../queries/files/cache.ts";

/** Plays the sound of a message from a second on; undefined where it carries none. Of several, the one that is on. */
export function useSeek({ attachments, chat_id: projectId }: Message): ((seconds: number) => void) | undefined {
  return useMemo(() => {
    const sounds = attachments.flatMap((attachment) => (attachment.audio && !isDeleted(attachment) ? trackOf(attachment, attachment.audio, projectId) : []));
    if (sounds.length === 0) return undefined;
    return (seconds: number) => {
      const on = player.state().track?.fileId;
      player.play(sounds.find(({ fileId }) => fileId === on) ?? sounds[0]!, seconds);
    };
  }, [attachments, projectId]);
}
