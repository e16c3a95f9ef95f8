import type { Attachment, Message } from "../../../contract/records.ts";
import { spokenDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import { hasFailed, isUnderWay } from "../../queries/files/state.ts";
import { useFileInfo } from "../../queries/files/use-file-info.ts";
import { FileState } from "../attachments/FileState.tsx";
import { RateButton } from "./RateButton.tsx";
import { VoiceCard } from "./VoiceCard.tsx";
import { soundOf, voiceTrack, type Sound } from "./voice-track.ts";

interface Props {
  message: Message;
  attachment: Attachment;
  /** Its author's. */
  name: string;
}

/** A voice note where it was sent. */
export function VoiceNote(props: Props) {
  const { attachment } = props;
  // Where a service attaches no more than the documented members, the file's info tells how long it is.
  return attachment.audio || attachment.version !== undefined ? <Note {...props} sound={soundOf(attachment)} /> : <DocumentedNote {...props} />;
}

function DocumentedNote(props: Props) {
  const info = useFileInfo(props.attachment.id).data?.file_info;
  return <Note {...props} sound={info?.object === "audio_file_info" ? info : soundOf(props.attachment)} />;
}

/** Safari before 18.4 plays no WebM: it waits for the copy that the service makes. */
let playsWebm: boolean | undefined;
function canPlay(name: string): boolean {
  playsWebm ??= new Audio().canPlayType("audio/webm; codecs=opus") !== "";
  return playsWebm || !name.toLowerCase().endsWith(".webm");
}

function Note({ message, attachment, name, sound }: Props & { sound: Sound }) {
  const { transcoding_status: state, compressed_file_url: copy } = attachment;
  // Nobody here knows its length yet, nor can show its wave.
  const isUnknown = hasFailed(state) || (isUnderWay(state) && sound.duration === 0);
  const label = sound.duration > 0 ? t("noteSpoken", { duration: spokenDuration(sound.duration) }) : t("note");
  return (
    <VoiceCard
      track={voiceTrack(message, attachment, name, sound)}
      label={label}
      className="mt-1 mb-1 max-w-105"
      silent={!copy && !canPlay(attachment.name)}
      instead={isUnknown ? <FileState attachment={attachment} className="min-w-0 flex-1" /> : undefined}
    >
      <RateButton />
    </VoiceCard>
  );
}
