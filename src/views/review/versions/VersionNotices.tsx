import { useOtherPlayingVersion, usePlayer } from "../../../audio/player/use-player.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";

interface Props {
  fileId: number;
  version: number;
  newest: number;
  /** The requested version if it cannot be shown. */
  missingVersion: number | null;
  /** True if the user requested this version, which changes the wording of the notice. */
  isRequested: boolean;
  onSelect(version: number): void;
}

/** Shows a notice if this version is outdated and another if a different version is playing. */
export function VersionNotices({ fileId, version, newest, missingVersion, isRequested, onSelect }: Props) {
  const isOutdated = version < newest;
  return (
    <>
      {missingVersion !== null && (
        <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
          {t("noSuchVersion", { number: missingVersion, newest })}
        </Notice>
      )}
      {isOutdated && (
        <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {isRequested ? t("olderVersion", { number: version, newest }) : t("newerVersion", { newest })}
            <Button size="sm" onClick={() => onSelect(newest)}>
              {t("openNewest", { newest })}
            </Button>
          </span>
        </Notice>
      )}
      <OtherVersionNotice fileId={fileId} version={version} onSelect={onSelect} />
    </>
  );
}

/** Shows which other version of this file is playing, because the mini player is hidden on this page. */
function OtherVersionNotice({ fileId, version, onSelect }: { fileId: number; version: number; onSelect(version: number): void }) {
  const player = usePlayer();
  const otherVersion = useOtherPlayingVersion(fileId, version);
  if (!otherVersion) return null;
  const number = otherVersion.version;
  return (
    <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {number === null ? t("otherPlaysUnknown") : t("otherPlays", { number })}
        <Button size="sm" onClick={player.pause}>
          {t("pause")}
        </Button>
        {number !== null && (
          <Button size="sm" variant="ghost" onClick={() => onSelect(number)}>
            {t("goToVersion")}
          </Button>
        )}
      </span>
    </Notice>
  );
}
