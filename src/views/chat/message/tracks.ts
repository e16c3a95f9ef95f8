/** Creates the player's tracks of attachments, voice notes and recordings that are still local. */
import type { Attachment, Message } from "../../../../contract/records.ts";
import type { ViewMemory } from "../../../client/client.ts";
import type { Track } from "../../../audio/player/player.ts";
import { attachmentToTrack, type TrackAudio } from "../../../components/attachment-track.ts";
import { t } from "../../../lib/texts/voice.ts";
import { hasFailed, isDeleted, isProcessing } from "../../../queries/files/file-updates.ts";

/** Returns the message's audio file, or null if the message is not a voice note or its file is not audio. */
export function getVoiceAttachment({ is_audio_message, deleted, attachments }: Message): Attachment | null {
  const [attachment] = attachments;
  if (!is_audio_message || deleted || attachments.length !== 1 || !attachment || isDeleted(attachment)) return null;
  const { kind, transcoding_status: state } = attachment;
  // Content that the service does not recognize at first is a document until it is processed. Without `kind`, the file counts as audio.
  return kind === undefined || kind === "audio" || isProcessing(state) || hasFailed(state) ? attachment : null;
}

/** Returns the duration and waveform that the service decoded, or until then those that this page's recorder measured. */
export function getVoiceAudio({ localRecordings }: ViewMemory, attachment: Attachment): TrackAudio {
  const { duration = 0, wave = [] } = attachment.audio ?? {};
  const localRecording = duration > 0 ? undefined : localRecordings.get(attachment.id);
  return localRecording ? { duration: localRecording.seconds, wave: localRecording.wave } : { duration, wave };
}

/** Creates the track of a voice note; `name` is the author's name. */
export function createVoiceTrack(message: Message, attachment: Attachment, name: string, audio: TrackAudio): Track {
  return {
    ...attachmentToTrack(attachment, audio, message.chat_id),
    name: t("from", { name }),
    isVoice: true,
    pagePath: `/projects/${message.chat_id}/chat/${message.id}`,
  };
}

export function createLocalTrack({ localFileIds }: ViewMemory, id: string, src: string, name: string, { duration, wave }: TrackAudio): Track {
  const fileId = localFileIds.get(id) ?? -1 - localFileIds.size;
  localFileIds.set(id, fileId);
  return { fileId, version: null, name, src, duration, wave, projectId: null, isVoice: true, pagePath: null };
}
