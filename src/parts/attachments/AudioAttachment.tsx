import type { ReactNode } from "react";
import type { Attachment, FileInfoAnswer, FileStatus } from "../../../contract/records.ts";
import { player } from "../../audio/player.ts";
import { usePlayback, type Playback } from "../../audio/use-player.ts";
import { formatPosition } from "../../lib/duration.ts";
import { t } from "../../lib/messages/attachments.ts";
import { statusOf } from "../../queries/files/cache.ts";
import { isUnderWay } from "../../queries/files/state.ts";
import { useFileInfo } from "../../queries/files/use-file-info.ts";
import { PHONE, useMedia } from "../../ui/use-media.ts";
import { MiniWaveform } from "../waveform/MiniWaveform.tsx";
import { AttachedStatus, DownloadLink, FileName } from "./FileName.tsx";
import { FileState, isUnsettled, UnderWayWords } from "./FileState.tsx";
import { PlayButton } from "./PlayButton.tsx";
import { trackOf } from "./track.ts";

type Sound = NonNullable<Attachment["audio"]>;
const UNKNOWN: Sound = { duration: 0, wave: [], bpm: 0, key: null, status: null };

interface Props {
  attachment: Attachment;
  projectId: number;
}

/** A sound that plays where it was sent. Its height never changes, whatever becomes known of it. */
export function AudioAttachment({ attachment, projectId }: Props) {
  // A service that tells versions tells the sound too, once it has looked into the file.
  const sound = attachment.audio ?? (attachment.version === undefined ? null : UNKNOWN);
  if (sound) return <AudioCard attachment={attachment} projectId={projectId} sound={sound} />;
  return <DocumentedAudio attachment={attachment} projectId={projectId} />;
}

/** Where a service attaches no more than the documented members, the file's info tells the rest. */
function DocumentedAudio({ attachment, projectId }: Props) {
  const { data } = useFileInfo(attachment.id);
  return <AudioCard attachment={attachment} projectId={projectId} sound={data ? soundOf(data) : UNKNOWN} />;
}

function soundOf({ file_info, common }: FileInfoAnswer): Sound {
  if (file_info.object !== "audio_file_info") return { ...UNKNOWN, status: common.status };
  const { duration, wave, bpm, key } = file_info;
  return { duration, wave, bpm, key, status: common.status };
}

function AudioCard({ attachment, projectId, sound }: Props & { sound: Sound }) {
  const { id, name } = attachment;
  const playback = usePlayback(id);
  // The wave is there long before the copy that streams: nobody has to wait for that.
  const underWay = isUnderWay(attachment.transcoding_status);
  const isHeard = underWay && sound.wave.length > 0;
  const showsSound = !isUnsettled(attachment) || isHeard;
  // Beside a status a phone has no room for the name: it stands where tempo and key would.
  const isLow = useMedia(PHONE) && showsSound;
  const status = statusOf(attachment) ?? sound.status;
  const track = trackOf(attachment, sound, projectId);
  return (
    <div className="flex h-27 max-w-150 items-center gap-3 rounded-lg border border-line bg-wave-bg py-2.5 pr-3 pl-3">
      <PlayButton name={name} playback={playback} onToggle={() => player.toggle(track)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex h-7 items-center gap-2">
          <FileName attachment={attachment} className="flex-1" />
          {!isLow && <AttachedStatus status={status} />}
          <DownloadLink attachment={attachment} className="-mr-1.5" />
        </div>
        {!showsSound ? (
          <FileState attachment={attachment} className="h-13" />
        ) : (
          <>
            <MiniWaveform
              wave={sound.wave}
              duration={sound.duration}
              position={playback.position}
              label={t("seekIn", { name })}
              onSeek={(seconds) => (playback.current ? player.seek(seconds) : player.play(track, seconds))}
              height={32}
            />
            <Facts sound={sound} playback={playback} status={isLow ? status : null}>
              {underWay && <UnderWayWords attachment={attachment} />}
            </Facts>
          </>
        )}
      </div>
    </div>
  );
}

/** Time on the left, what the sound is on the right; why it cannot be heard instead of both. */
function Facts({ sound, playback, status, children }: { sound: Sound; playback: Playback; status: FileStatus | null; children: ReactNode }) {
  if (playback.fault) {
    return (
      <p role="alert" title={playback.fault} className="h-4 truncate text-xs text-danger">
        {playback.fault}
      </p>
    );
  }
  const facts = [sound.bpm > 0 ? t("bpm", { bpm: Math.round(sound.bpm * 10) / 10 }) : null, sound.key].filter(Boolean);
  const duration = formatPosition(sound.duration);
  return (
    <div className="tabular flex h-4 items-center justify-between gap-3 text-xs text-text-2">
      <span>{playback.current ? t("time", { position: formatPosition(playback.position), duration }) : sound.duration > 0 ? duration : null}</span>
      {children}
      {status ? <AttachedStatus status={status} className="max-w-2/3" /> : <span className="truncate">{facts.join(" · ")}</span>}
    </div>
  );
}
