/** Voice notes as the chat shows and plays them. */
import type { Attachment, Message } from "../../../contract/records.ts";
import type { Track } from "../../audio/player.ts";
import { t } from "../../lib/messages/voice-note.ts";
import { isDeleted } from "../../queries/files/cache.ts";
import { hasFailed, isUnderWay } from "../../queries/files/state.ts";
import { trackOf } from "../attachments/track.ts";
import { ownVoice } from "./own-voices.ts";

/** Its one sound; null where the message is no voice note, or what it carries has turned out to be none. */
export function voiceOf({ is_audio_message, deleted, attachments }: Message): Attachment | null {
  const [attachment] = attachments;
  if (!is_audio_message || deleted || attachments.length !== 1 || !attachment || isDeleted(attachment)) return null;
  const { kind, transcoding_status: state } = attachment;
  // Until it was looked into the service calls it a document; a service that tells no kinds is believed.
  return kind === undefined || kind === "audio" || isUnderWay(state) || hasFailed(state) ? attachment : null;
}

export interface Sound {
  /** Seconds; 0 while nobody knows. */
  duration: number;
  wave: readonly number[];
}

/** As the service has decoded it; before that as its recorder has told this page. */
export function soundOf(attachment: Attachment): Sound {
  const { duration = 0, wave = [] } = attachment.audio ?? {};
  const own = duration > 0 ? undefined : ownVoice(attachment.id);
  return own ? { duration: own.seconds, wave: own.wave } : { duration, wave };
}

/** A voice note as the player takes it; `name` is its author's. */
export function voiceTrack(message: Message, attachment: Attachment, name: string, sound = soundOf(attachment)): Track {
  return {
    ...trackOf(attachment, { duration: sound.duration, wave: [...sound.wave] }, message.chat_id),
    name: t("from", { name }),
    voice: true,
    home: `/projects/${message.chat_id}/chat/${message.id}`,
  };
}

/** Numbers that no file has, for sounds that only this page knows. */
const numbers = new Map<string, number>();

/** What was recorded here, before it is with the service. */
export function localTrack(id: string, src: string, name: string, { duration, wave }: Sound): Track {
  const fileId = numbers.get(id) ?? -1 - numbers.size;
  numbers.set(id, fileId);
  return { fileId, version: null, name, src, duration, wave, projectId: null, voice: true, home: null };
}
