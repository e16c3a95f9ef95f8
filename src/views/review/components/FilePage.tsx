import type { FileInfoAnswer } from "../../../../contract/records.ts";
import { trackOf } from "../model/info.ts";
import { AudioPage } from "./AudioPage.tsx";
import { FileHeader } from "./FileHeader.tsx";
import { OtherPage } from "./OtherPage.tsx";
import { Processing } from "./Processing.tsx";

/** One file, whatever kind it is. */
export function FilePage({ info }: { info: FileInfoAnswer }) {
  const track = trackOf(info);
  return (
    <div className="flex h-full flex-col">
      <FileHeader common={info.common} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Processing common={info.common} />
        {track ? <AudioPage info={info} track={track} /> : <OtherPage info={info} />}
      </div>
    </div>
  );
}
