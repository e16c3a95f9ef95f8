import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import type { Deck } from "../../../audio/deck.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { CommentsPanel } from "../comments/CommentsPanel.tsx";
import { AudioFacts } from "../facts/AudioFacts.tsx";
import { TagsPanel } from "../tags/TagsPanel.tsx";
import { OtherFacts } from "./OtherPage.tsx";
import { TasksPanel } from "./TasksPanel.tsx";

/** What is said and known of a file, below what is seen and heard of it. */
export function Panels({ info, sound, deck }: { info: FileInfoAnswer; sound: boolean; deck: Deck | null }) {
  const { common, file_info } = info;
  return (
    <>
      <div className="min-w-0">
        <CommentsPanel />
        <TasksPanel common={common} isFolder={file_info.object === "folder_info"} />
      </div>
      {sound ? (
        <>
          <TagsPanel info={info} deck={deck} underWay={isUnderWay(common.transcoding_status)} />
          <AudioFacts common={common} info={file_info as AudioFileInfo} />
        </>
      ) : (
        <OtherFacts info={info} />
      )}
    </>
  );
}
