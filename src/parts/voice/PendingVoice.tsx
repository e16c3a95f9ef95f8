import { useEffect } from "react";
import { formatSize } from "../../lib/file-size.ts";
import { formatAccessibleDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import type { Voice } from "../../queries/outbox/outbox.ts";
import { uploadPercent, type Upload } from "../../queries/uploads/upload.ts";
import { useMessageUploads, useUploadActions } from "../../queries/uploads/use-uploads.ts";
import { Button } from "../../ui/Button.tsx";
import { setLocalRecording } from "./own-voices.ts";
import { useAudioUrl } from "./use-sound-url.ts";
import { VoiceCard } from "./VoiceCard.tsx";
import { createLocalTrack } from "./voice-track.ts";

interface Props {
  clientId: string;
  voice: Voice;
  /** True while the message waits, so that it can be canceled. */
  waiting: boolean;
  onDiscard(clientId: string): void;
}

/** Shows a voice note that is being sent and plays it from the bytes in this browser. */
export function PendingVoice({ clientId, voice, waiting, onDiscard }: Props) {
  const [upload] = useMessageUploads(clientId);
  const { getFile: fileOf } = useUploadActions();
  const fileId = upload?.fileId ?? null;
  useEffect(() => {
    if (fileId !== null) setLocalRecording(fileId, voice);
  }, [fileId, voice]);
  const url = useAudioUrl(upload ? fileOf(upload.id) : null);
  const track = createLocalTrack(clientId, url ?? "", t("yours"), { duration: voice.seconds, wave: voice.wave });
  return (
    <>
      <VoiceCard
        track={track}
        unplayable={url === null}
        label={t("noteSpoken", { duration: formatAccessibleDuration(voice.seconds) })}
        className="mt-1 mb-1 max-w-105"
      />
      {upload && upload.state !== "done" && (
        <div className="flex items-center gap-2 text-xs text-text-3">
          <span>{formatUploadStatus(upload)}</span>
          {waiting && (
            <Button size="sm" variant="ghost" onClick={() => onDiscard(clientId)}>
              {t("moveToDraft")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function formatUploadStatus(upload: Upload): string {
  if (upload.state === "uploading") return t("percent", { percent: uploadPercent(upload), size: formatSize(upload.bytes) });
  if (upload.state === "failed") return t("failed", { fault: upload.fault ?? "" });
  return upload.state === "lost" ? t("lost") : t("waitingToUpload");
}
