import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import { classes } from "../../../lib/classes.ts";
import { isUnderWay } from "../../../queries/files/state.ts";
import { trackOf } from "../model/info.ts";
import { AudioFacts } from "../facts/AudioFacts.tsx";
import { AudioPage } from "./AudioPage.tsx";
import { FileHeader } from "./FileHeader.tsx";
import { OtherFacts, OtherPage } from "./OtherPage.tsx";
import { Processing } from "./Processing.tsx";
import { TagsPanel } from "../tags/TagsPanel.tsx";
import { TasksPanel } from "./TasksPanel.tsx";

/** One file, whatever kind it is. What kind that is may turn out while somebody writes a task: the tasks stay in their place. */
export function FilePage({ info }: { info: FileInfoAnswer }) {
  const track = trackOf(info);
  const isFolder = info.file_info.object === "folder_info";
  return (
    <div className="flex h-full flex-col">
      <FileHeader common={info.common} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Processing common={info.common} />
        {track ? <AudioPage info={info} track={track} /> : <OtherPage info={info} />}
        <div
          className={classes(
            "flex-1 border-line",
            !isFolder && "border-t",
            track && "desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]",
          )}
        >
          <TasksPanel common={info.common} isFolder={isFolder} />
          {track ? (
            <>
              <TagsPanel info={info} underWay={isUnderWay(info.common.transcoding_status)} />
              <AudioFacts common={info.common} info={info.file_info as AudioFileInfo} />
            </>
          ) : (
            <OtherFacts info={info} />
          )}
        </div>
      </div>
    </div>
  );
}
