import type { Attachment, FileInfoResponse } from "../../../../contract/records.ts";
import { type Playback, usePlayback } from "../../../audio/player/use-player.ts";
import { useFileInfoOnce } from "../../../queries/files/use-file.ts";

export type AttachmentAudio = NonNullable<Attachment["audio"]>;
export const UNKNOWN_AUDIO: AttachmentAudio = { duration: 0, wave: [], bpm: 0, key: null, status: null };

/**
 * Returns what is known of an audio file. A service that sends `version` also sends `audio` once the file is processed; one that sends only the documented
 * members has it in the file info (`needsInfo`), which is requested when the file is played.
 */
export function useAttachmentAudio(attachment: Attachment): { audio: AttachmentAudio; needsInfo: boolean; playback: Playback } {
  const needsInfo = !attachment.audio && attachment.version === undefined;
  const playback = usePlayback(attachment.id);
  const { data: info } = useFileInfoOnce(attachment.id, needsInfo && playback.isCurrent);
  return { audio: attachment.audio ?? (needsInfo && info ? toAudioInfo(info) : UNKNOWN_AUDIO), needsInfo, playback };
}

function toAudioInfo({ ai_tags, file_info, common }: FileInfoResponse): AttachmentAudio {
  if (file_info.object !== "audio_file_info") return { ...UNKNOWN_AUDIO, status: common.status };
  const { duration, wave, bpm, key, cover_url } = file_info;
  const [unsureKey] = ai_tags.key_candidates ?? [];
  return { duration, wave, bpm, key, status: common.status, cover_url, ...(unsureKey === undefined ? {} : { unsure_key: unsureKey }) };
}
