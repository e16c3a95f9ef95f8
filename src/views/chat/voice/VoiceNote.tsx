import { useEffect } from "react";
import type { Attachment, Message } from "../../../../contract/records.ts";
import { usePlayback } from "../../../audio/player/use-player.ts";
import { useClient } from "../../../client/client.ts";
import { VoiceRateButton } from "../../../components/VoiceRateButton.tsx";
import { canPlay } from "../../../lib/browser.ts";
import { formatAccessibleDuration, formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { hasFailed, isProcessing } from "../../../queries/files/file-updates.ts";
import { useFileInfoOnce } from "../../../queries/files/use-file.ts";
import type { OutboxEntry, Voice } from "../../../sync/outbox/outbox-types.ts";
import { type Upload, uploadPercent } from "../../../sync/uploads/upload.ts";
import { useMessageUploads } from "../../../sync/uploads/use-uploads.ts";
import { Button } from "../../../ui/Button.tsx";
import { useChat, useChatUser } from "../chat-context.ts";
import { FileState } from "../message/attachment-parts.tsx";
import { createLocalTrack, createVoiceTrack, getVoiceAudio } from "../message/tracks.ts";
import { useAudioUrl, VoiceCard } from "./VoiceCard.tsx";

/** Returns whether the browser can play the uploaded file; Safari before 18.4 cannot play WebM and waits for the service's copy. */
const canPlayUpload = (name: string): boolean => !name.toLowerCase().endsWith(".webm") || canPlay("audio/webm; codecs=opus");

export function VoiceNote({ message, attachment }: { message: Message; attachment: Attachment }) {
  const { nameOf } = useChat();
  const { viewMemory } = useClient();
  // If the service sends only the documented members of attachments, duration and waveform come from the file info once the note is played.
  const needsInfo = !attachment.audio && attachment.version === undefined;
  const { isCurrent } = usePlayback(attachment.id);
  const info = useFileInfoOnce(attachment.id, needsInfo && isCurrent).data?.file_info;
  const audio = needsInfo && info?.object === "audio_file_info" ? info : getVoiceAudio(viewMemory, attachment);
  const { transcoding_status: state, compressed_file_url: compressedUrl } = attachment;
  // Neither the duration nor the waveform is known, so the processing state is shown instead.
  const isUnknown = hasFailed(state) || (isProcessing(state) && audio.duration === 0);
  const label = audio.duration > 0 ? t("noteAccessible", { duration: formatAccessibleDuration(audio.duration) }) : t("note");
  return (
    <VoiceCard
      track={createVoiceTrack(message, attachment, nameOf(message.account_id), audio)}
      label={label}
      className="mt-1 mb-1 max-w-150"
      isUnplayable={!compressedUrl && !canPlayUpload(attachment.name)}
      placeholder={isUnknown ? <FileState attachment={attachment} className="min-w-0 flex-1" /> : undefined}
    >
      <VoiceRateButton />
    </VoiceCard>
  );
}

/** Shows a voice note that is being sent and plays it from the bytes in this browser. */
export function PendingVoice({ entry: { clientId, state }, voice }: { entry: OutboxEntry; voice: Voice }) {
  const { discard } = useChatUser().actions;
  const { viewMemory } = useClient();
  const [upload] = useMessageUploads(clientId);
  const { getFile } = useClient().uploads;
  const fileId = upload?.fileId ?? null;
  useEffect(() => {
    if (fileId !== null) viewMemory.localRecordings.set(fileId, voice);
  }, [viewMemory, fileId, voice]);
  const url = useAudioUrl(upload ? getFile(upload.id) : null);
  const track = createLocalTrack(viewMemory, clientId, url ?? "", t("yours"), { duration: voice.seconds, wave: voice.wave });
  return (
    <>
      <VoiceCard
        track={track}
        isUnplayable={url === null}
        label={t("noteAccessible", { duration: formatAccessibleDuration(voice.seconds) })}
        className="mt-1 mb-1 max-w-150"
      />
      {upload && upload.state !== "done" && (
        <div className="flex items-center gap-2 text-xs text-text-3">
          <span>{formatVoiceUploadStatus(upload)}</span>
          {state === "waiting" && (
            <Button size="sm" variant="ghost" onClick={() => discard(clientId)}>
              {t("moveToDraft")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function formatVoiceUploadStatus(upload: Upload): string {
  if (upload.state === "uploading") return t("percent", { percent: uploadPercent(upload), size: formatSize(upload.bytes) });
  if (upload.state === "failed") return t("failed", { reason: upload.error ?? "" });
  return upload.state === "lost" ? t("lost") : t("waitingToUpload");
}
