import { player } from "../../../../audio/player.ts";
import { useOtherVersion } from "../../../../audio/use-player.ts";
import { t } from "../../../../lib/messages/review-player.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Notice } from "../../../../ui/Notice.tsx";

interface Props {
  fileId: number;
  version: number;
  newest: number;
  /** The wished version cannot be shown. */
  missing: number | null;
  /** Somebody chose this one: that it is old is no news. */
  chosen: boolean;
  onChoose(version: number): void;
}

/** Which version this is, where it is not the newest, and which one plays, where it is another. */
export function VersionNotices({ fileId, version, newest, missing, chosen, onChoose }: Props) {
  const old = version < newest;
  return (
    <>
      {missing !== null && (
        <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
          {t("noSuchVersion", { number: missing, newest })}
        </Notice>
      )}
      {old && (
        <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {chosen ? t("olderVersion", { number: version, newest }) : t("newerVersion", { newest })}
            <Button size="sm" onClick={() => onChoose(newest)}>
              {t("openNewest", { newest })}
            </Button>
          </span>
        </Notice>
      )}
      <OtherPlays fileId={fileId} version={version} onChoose={onChoose} />
    </>
  );
}

/** Another version of this file sounds: its own page is not open, and the mini player stands aside for this one. */
function OtherPlays({ fileId, version, onChoose }: { fileId: number; version: number; onChoose(version: number): void }) {
  const other = useOtherVersion(fileId, version);
  if (!other) return null;
  const number = other.version;
  return (
    <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {number === null ? t("otherPlaysUnknown") : t("otherPlays", { number })}
        <Button size="sm" onClick={player.pause}>
          {t("pause")}
        </Button>
        {number !== null && (
          <Button size="sm" look="ghost" onClick={() => onChoose(number)}>
            {t("showIt")}
          </Button>
        )}
      </span>
    </Notice>
  );
}
