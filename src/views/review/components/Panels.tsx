import type { AudioFileInfo, FileInfoResponse } from "../../../../contract/records.ts";
import type { TrackController } from "../../../audio/deck.ts";
import { isProcessing } from "../../../queries/files/state.ts";
import { CommentsPanel } from "../comments/CommentsPanel.tsx";
import { AudioFacts } from "../facts/AudioFacts.tsx";
import { TagsPanel } from "../tags/TagsPanel.tsx";
import { NonAudioFacts } from "./OtherPage.tsx";
import { TasksPanel } from "./TasksPanel.tsx";

/** Renders the comments, tasks, and details below the player or preview. */
export function DetailPanels({ info, isAudio, trackController }: { info: FileInfoResponse; isAudio: boolean; trackController: TrackController | null }) {
  const { common, file_info } = info;
  return (
    <>
      <div className="min-w-0">
        <CommentsPanel />
        <TasksPanel common={common} isFolder={file_info.object === "folder_info"} />
      </div>
      {isAudio ? (
        <>
          <TagsPanel info={info} trackController={trackController} processing={isProcessing(common.transcoding_status)} />
          <AudioFacts common={common} info={file_info as AudioFileInfo} />
        </>
      ) : (
        <NonAudioFacts info={info} />
      )}
    </>
  );
}
