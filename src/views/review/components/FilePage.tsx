import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import type { FileInfoResponse } from "../../../../contract/records.ts";
import type { TrackController } from "../../../audio/deck.ts";
import { classes } from "../../../lib/classes.ts";
import { useShownVersion } from "../../../queries/files/use-shown-version.ts";
import { CommentsProvider } from "../comments/CommentsProvider.tsx";
import { getOriginal, toTrack, parseVersion } from "../model/info.ts";
import { canPlay, loadPrefersOriginal, savePrefersOriginal } from "../model/quality.ts";
import { CommentedPlayer } from "./CommentedPlayer.tsx";
import { FileHeader } from "./FileHeader.tsx";
import { NonAudioPage } from "./OtherPage.tsx";
import { DetailPanels } from "./Panels.tsx";
import { Processing } from "./Processing.tsx";
import { useSelectVersion } from "./versions/use-choose-version.ts";
import { VersionMenu } from "./versions/VersionMenu.tsx";
import { VersionNotices } from "./versions/VersionNotices.tsx";

/** Renders a file of any kind. The tasks panel stays mounted when the detected kind changes, because the user may be writing a task. */
export function FilePage({ info: latestInfo }: { info: FileInfoResponse }) {
  const [search] = useSearchParams();
  const requestedVersion = parseVersion(search);
  const { info, version, newest, missing } = useShownVersion(latestInfo, requestedVersion);
  const selectVersion = useSelectVersion(newest);
  const [prefersOriginal, setPrefersOriginal] = useState(loadPrefersOriginal);
  const track = toTrack(info, prefersOriginal && getOriginal(info, canPlay)?.playable);
  const isFolder = info.file_info.object === "folder_info";
  const [trackController, setTrackController] = useState<TrackController | null>(null);
  const isAudio = track !== null && !track.isVideo;
  // Panels below the waveform render after the first paint, so that they do not delay the waveform.
  const showPanels = useDeferredValue(true, false);
  const content = (
    <div className="flex h-full flex-col">
      <FileHeader
        common={info.common}
        version={
          version !== null &&
          newest !== null &&
          newest > 1 && <VersionMenu common={latestInfo.common} version={version} newest={newest} onSelect={selectVersion} />
        }
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Processing common={info.common} />
        {version !== null && newest !== null && (
          <VersionNotices
            fileId={info.common.id}
            version={version}
            newest={newest}
            missingVersion={missing ? requestedVersion : null}
            isRequested={requestedVersion !== null}
            onSelect={selectVersion}
          />
        )}
        {track ? (
          <CommentedPlayer
            info={info}
            track={track}
            onTrackController={setTrackController}
            onOriginalChange={(next) => {
              setPrefersOriginal(next);
              savePrefersOriginal(next);
            }}
          />
        ) : (
          <NonAudioPage info={info} />
        )}
        <div
          className={classes(
            "flex-1 border-line",
            !isFolder && "border-t",
            isAudio && "desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]",
          )}
        >
          {showPanels && <DetailPanels info={info} isAudio={isAudio} trackController={trackController} />}
        </div>
      </div>
    </div>
  );
  if (isFolder) return content;
  const { id, project_id } = info.common;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} clock={trackController}>
      {content}
    </CommentsProvider>
  );
}
