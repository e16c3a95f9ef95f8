import { useState } from "react";
import { useParams } from "react-router";
import type { FileInfoResponse } from "../../../contract/records.ts";
import type { TrackController } from "../../audio/player/track-controller.ts";
import { parseId, ReadOnlyError, ReadOnlyTitle } from "../../components/ReadOnly.tsx";
import { StatusBadge } from "../../components/status/StatusBadge.tsx";
import { t } from "../../lib/texts/read-only.ts";
import { isUnknown } from "../../lib/unknown-members.ts";
import { useFileInfo } from "../../queries/files/use-file.ts";
import { personOfAccount } from "../../queries/members.ts";
import { useRecordRecent } from "../../sync/device-records.ts";
import { documentedFacts } from "./facts/documented-facts.ts";
import { AudioFacts } from "./facts/Facts.tsx";
import { useFileHistory } from "./file-history.ts";
import { FileHeader } from "./FileHeader.tsx";
import { FileLayout, ReviewSkeleton, useFileTrack } from "./FileLayout.tsx";
import { NonAudioFacts, NonAudioPage } from "./NonAudioPage.tsx";
import { CompactPlayer } from "./player/CompactPlayer.tsx";
import { PlayerPage } from "./player/PlayerPage.tsx";
import { Processing } from "./Processing.tsx";
import { TagsPanel } from "./tags/TagsPanel.tsx";

/** Renders `/files/:fileId` of a service that offers only reading a file's info. */
export function ReadOnlyFileView() {
  const { fileId: segment = "" } = useParams();
  const fileId = parseId(segment);
  return fileId === null ? <MissingFile id={segment} error={null} /> : <FileLoader key={fileId} fileId={fileId} />;
}

function FileLoader({ fileId }: { fileId: number }) {
  useFileHistory();
  const { data, error, refetch } = useFileInfo(fileId);
  if (data) return <ReadOnlyFilePage info={data} />;
  return error ? <MissingFile id={String(fileId)} error={error} onRetry={() => void refetch()} /> : <ReviewSkeleton />;
}

function MissingFile({ id, ...errorProps }: { id: string; error: unknown; onRetry?: () => void }) {
  const title = t("fileOf", { id });
  return (
    <div className="flex h-full flex-col">
      <ReadOnlyTitle text={title} />
      <h1 tabIndex={-1} className="sr-only">
        {title}
      </h1>
      <ReadOnlyError notFound={t("fileNotFound", { id })} {...errorProps} />
    </div>
  );
}

function ReadOnlyFilePage({ info }: { info: FileInfoResponse }) {
  const { common, file_info: details, ai_tags: tags } = info;
  const [track, setPrefersOriginal] = useFileTrack(info);
  useRecordRecent({ kind: "file", id: common.id, name: common.name });
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const isAudio = track !== null && !track.isVideo;
  const panelProps = {
    uploadedBy: common.account_id > 0 ? personOfAccount(common.account_id).name : null,
    furtherFacts: documentedFacts(common),
  };
  const showsTags = isAudio || tags.bpm > 0 || [tags.genres, tags.moods, tags.instruments, tags.key].some(({ length }) => length > 0);
  const noReview = <p className="px-4 pt-5 text-sm text-text-2 tablet:px-5">{t("noReview")}</p>;
  return (
    <FileLayout
      header={
        <FileHeader common={common} coverUrl={track?.coverUrl} title={<ReadOnlyTitle text={common.name} />}>
          <StatusBadge status={common.status} noStatus={isUnknown(common, "status") ? t("unknownStatus") : undefined} />
        </FileHeader>
      }
      kind={details.object === "folder_info" ? "folder" : isAudio ? "audio" : "picture"}
      compactPlayer={track && trackController ? <CompactPlayer track={track} trackController={trackController} /> : undefined}
      main={
        isAudio && details.object === "audio_file_info" ? (
          <>
            {noReview}
            <AudioFacts common={common} info={details} {...panelProps} />
          </>
        ) : null
      }
      aside={
        <>
          {!isAudio && noReview}
          {showsTags && <TagsPanel info={info} trackController={trackController} />}
          {!isAudio &&
            (details.object === "audio_file_info" ? (
              <AudioFacts common={common} info={details} {...panelProps} />
            ) : (
              <NonAudioFacts info={info} {...panelProps} />
            ))}
        </>
      }
    >
      <Processing common={common} />
      {track ? (
        <PlayerPage info={info} track={track} onTrackController={setTrackController} onOriginalChange={setPrefersOriginal} />
      ) : (
        <NonAudioPage info={info} />
      )}
    </FileLayout>
  );
}
