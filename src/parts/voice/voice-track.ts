/** Voice notes as the chat shows and plays them. */
import type { Attachment, Message } from "../../../contract/records.ts";
import type { Track } from "../../audio/player.ts";
import { t } from "../../lib/messages/voice-note.ts";
import { isDeleted } from "../../queries/files/cache.ts";
import { hasFailed, isProcessing } from "../../queries/files/state.ts";
import { attachmentToTrack } from "../attachments/track.ts";
import { getLocalRecording } from "./own-voices.ts";

/** Its one sound; null where the message is no voice note, or what it carries has turned out to be none. */
export function getVoiceAttachment({ is_audio_message, deleted, attachments }: Message): Attachment | null {
  const [attachment] = attachments;
  if (!is_audio_message || deleted || attachments.length !== 1 || !attachment || isDeleted(attachment)) return null;
  const { kind, transcoding_status: state } = attachment;
  // Until it was looked into the service calls it a document; a service that tells no kinds is believed.
  return kind === undefined || kind === "audio" || isProcessing(state) || hasFailed(state) ? attachment : null;
}

export interface AudioInfo {
  /** Seconds; 0 while nobody knows. */
  duration: number;
  wave: readonly number[];
}

/** As the service has decoded it; before that as its recorder has told this page. */
export function audioInfoOf(attachment: Attachment): AudioInfo {
  const { duration = 0, wave = [] } = attachment.audio ?? {};
  const localRecording = duration > 0 ? undefined : getLocalRecording(attachment.id);
  return localRecording ? { duration: localRecording.seconds, wave: localRecording.wave } : { duration, wave };
}

/** A voice note as the player takes it; `name` is its author's. */
export function createVoiceTrack(message: Message, attachment: Attachment, name: string, audio = audioInfoOf(attachment)): Track {
  return {
    ...attachmentToTrack(attachment, { duration: audio.duration, wave: [...audio.wave] }, message.chat_id),
    name: t("from", { name }),
    isVoice: true,
    pagePath: `/projects/${message.chat_id}/chat/${message.id}`,
  };
}

/** Numbers that no file has, for sounds that only this page knows. */
const localFileIds = new Map<string, number>();

/** What was recorded here, before it is with the service. */
export function createLocalTrack(id: string, src: string, name: string, { duration, wave }: AudioInfo): Track {
  const fileId = localFileIds.get(id) ?? -1 - localFileIds.size;
  localFileIds.set(id, fileId);
  return { fileId, version: null, name, src, duration, wave, projectId: null, isVoice: true, pagePath: null };
}
