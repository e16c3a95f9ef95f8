import type { Attachment, Message } from "../../../contract/records.ts";
import { formatAccessibleDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import { hasFailed, isProcessing } from "../../queries/files/state.ts";
import { useFileInfo } from "../../queries/files/use-file-info.ts";
import { FileState } from "../attachments/FileState.tsx";
import { RateButton } from "./RateButton.tsx";
import { VoiceCard } from "./VoiceCard.tsx";
import { audioInfoOf, createVoiceTrack, type AudioInfo } from "./voice-track.ts";

interface Props {
  message: Message;
  attachment: Attachment;
  /** The author's name. */
  name: string;
}

/** Shows a voice note in its message. */
export function VoiceNote(props: Props) {
  const { attachment } = props;
  // If the service returns only the documented members, the duration comes from the file's info.
  return attachment.audio || attachment.version !== undefined ? <VoiceNoteCard {...props} audio={audioInfoOf(attachment)} /> : <DocumentedNote {...props} />;
}

function DocumentedNote(props: Props) {
  const info = useFileInfo(props.attachment.id).data?.file_info;
  return <VoiceNoteCard {...props} audio={info?.object === "audio_file_info" ? info : audioInfoOf(props.attachment)} />;
}

/** Safari before 18.4 cannot play WebM and waits for the service's copy. */
let playsWebm: boolean | undefined;
function canPlay(name: string): boolean {
  playsWebm ??= new Audio().canPlayType("audio/webm; codecs=opus") !== "";
  return playsWebm || !name.toLowerCase().endsWith(".webm");
}

function VoiceNoteCard({ message, attachment, name, audio }: Props & { audio: AudioInfo }) {
  const { transcoding_status: state, compressed_file_url: compressedUrl } = attachment;
  // Neither duration nor waveform is known in this page.
  const isUnknown = hasFailed(state) || (isProcessing(state) && audio.duration === 0);
  const label = audio.duration > 0 ? t("noteSpoken", { duration: formatAccessibleDuration(audio.duration) }) : t("note");
  return (
    <VoiceCard
      track={createVoiceTrack(message, attachment, name, audio)}
      label={label}
      className="mt-1 mb-1 max-w-105"
      unplayable={!compressedUrl && !canPlay(attachment.name)}
      placeholder={isUnknown ? <FileState attachment={attachment} className="min-w-0 flex-1" /> : undefined}
    >
      <RateButton />
    </VoiceCard>
  );
}
