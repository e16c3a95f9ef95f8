import { useDeferredValue, useState } from "react";
import { useSearchParams } from "react-router";
import type { FileInfoAnswer } from "../../../../contract/records.ts";
import type { Deck } from "../../../audio/deck.ts";
import { classes } from "../../../lib/classes.ts";
import { useShownVersion } from "../../../queries/files/use-shown-version.ts";
import { CommentsProvider } from "../comments/CommentsProvider.tsx";
import { originalOf, trackOf, wishedVersion } from "../model/info.ts";
import { canPlay, recallOriginal, rememberOriginal } from "../model/quality.ts";
import { CommentedPlayer } from "./CommentedPlayer.tsx";
import { FileHeader } from "./FileHeader.tsx";
import { OtherPage } from "./OtherPage.tsx";
import { Panels } from "./Panels.tsx";
import { Processing } from "./Processing.tsx";
import { useChooseVersion } from "./versions/use-choose-version.ts";
import { VersionMenu } from "./versions/VersionMenu.tsx";
import { VersionNotices } from "./versions/VersionNotices.tsx";

/** One file, whatever kind it is. What kind that is may turn out while somebody writes a task: the tasks stay in their place. */
export function FilePage({ info: known }: { info: FileInfoAnswer }) {
  const [search] = useSearchParams();
  const wish = wishedVersion(search);
  const { info, version, newest, missing } = useShownVersion(known, wish);
  const choose = useChooseVersion(newest);
  const [original, setOriginal] = useState(recallOriginal);
  const played = trackOf(info, original && originalOf(info, canPlay)?.playable);
  const isFolder = info.file_info.object === "folder_info";
  const [deck, setDeck] = useState<Deck | null>(null);
  const isSound = played !== null && !played.film;
  // The waveform is what one waits for: what stands below it comes right after its first picture.
  const below = useDeferredValue(true, false);
  const page = (
    <div className="flex h-full flex-col">
      <FileHeader
        common={info.common}
        version={version !== null && newest !== null && newest > 1 && <VersionMenu common={known.common} version={version} newest={newest} onChoose={choose} />}
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <Processing common={info.common} />
        {version !== null && newest !== null && (
          <VersionNotices fileId={info.common.id} version={version} newest={newest} missing={missing ? wish : null} chosen={wish !== null} onChoose={choose} />
        )}
        {played ? (
          <CommentedPlayer
            info={info}
            track={played}
            onDeck={setDeck}
            onOriginal={(next) => {
              setOriginal(next);
              rememberOriginal(next);
            }}
          />
        ) : (
          <OtherPage info={info} />
        )}
        <div
          className={classes(
            "flex-1 border-line",
            !isFolder && "border-t",
            isSound && "desktop:grid desktop:grid-cols-[minmax(0,1fr)_22.5rem] desktop:grid-rows-[auto_1fr]",
          )}
        >
          {below && <Panels info={info} sound={isSound} deck={deck} />}
        </div>
      </div>
    </div>
  );
  if (isFolder) return page;
  const { id, project_id } = info.common;
  return (
    <CommentsProvider fileId={id} projectId={project_id} version={version ?? 1} clock={deck}>
      {page}
    </CommentsProvider>
  );
}
