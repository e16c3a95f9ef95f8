/** The menu of a file's versions, and the notices about versions other than the one shown. */
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { restoreVersion } from "../../../../contract/operations/files.ts";
import type { FileCommon, FileVersion } from "../../../../contract/records.ts";
import { useOtherPlayingVersion, usePlayer } from "../../../audio/player/use-player.ts";
import { useClient, useServiceTime } from "../../../client/client.ts";
import { withRecordedPosition } from "../../../lib/recorded-position.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { t } from "../../../lib/texts/review-player.ts";
import { formatDayTime } from "../../../lib/time.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { useRestoreVersion, useVersions } from "../../../queries/files/use-file.ts";
import { usePeople } from "../../../queries/members.ts";
import { can, useCurrentUser } from "../../../queries/permissions.ts";
import { Button } from "../../../ui/Button.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { useToasts } from "../../../ui/toast.ts";

interface Props {
  common: FileCommon;
  /** The version shown. */
  version: number;
  newest: number;
  onSelect(version: number): void;
}

export function VersionMenu({ common, version, newest, onSelect }: Props) {
  return (
    <Menu
      label={t("versionOf", { number: version, file: common.name })}
      trigger={
        <>
          {t("version", { number: version })}
          <ChevronDown size={14} aria-hidden />
        </>
      }
      triggerClassName="inline-flex h-6 shrink-0 items-center gap-1 rounded-sm bg-raised px-2 text-xs font-medium text-text-2 hover:bg-hover hover:text-text max-tablet:h-8"
      checked={version}
    >
      <VersionItems common={common} version={version} newest={newest} onSelect={onSelect} />
    </Menu>
  );
}

function VersionItems({ common, version, newest, onSelect }: Props) {
  const now = useServiceTime();
  const { data, isError, refetch } = useVersions(common.id);
  const personOf = usePeople(common.project_id);
  const formatAuthor = ({ account_id, created_at }: FileVersion) =>
    t("versionBy", { name: personOf(account_id)?.name ?? t("formerMember"), time: formatDayTime(created_at, now) });
  if (!data) {
    return (
      <MenuItem onSelect={() => void refetch()} disabledReason={isError ? undefined : t("versionsLoading")}>
        {isError ? t("versionsFailed") : t("version", { number: version })}
      </MenuItem>
    );
  }
  return data.map((fileVersion) => (
    <MenuItem key={fileVersion.id} id={fileVersion.number} text={t("version", { number: fileVersion.number })} onSelect={() => onSelect(fileVersion.number)}>
      <span className="flex items-center gap-2 font-medium">
        {t("version", { number: fileVersion.number })}
        {fileVersion.number === newest && <span className="rounded-full bg-accent-soft px-2 text-xs font-medium text-accent-text">{t("newest")}</span>}
      </span>
      <span className="block text-xs text-text-2">
        {formatAuthor(fileVersion)}
        <AgentBadge accountId={fileVersion.account_id} className="align-[-2px]" />
      </span>
    </MenuItem>
  ));
}

/** Opens another version on the same page and keeps the position, so that playback continues. Back returns to the version before. */
export function useSelectVersion(newest: number | null): (version: number) => void {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  return (version) => {
    const query = new URLSearchParams(search);
    if (version === newest) query.delete("v");
    else query.set("v", String(version));
    void navigate({ search: query.toString() }, { state: withRecordedPosition(state) });
  };
}

interface NoticeProps {
  common: FileCommon;
  version: number;
  newest: number;
  /** The requested version if it cannot be shown. */
  missingVersion: number | null;
  /** True if the user requested this version, which changes the wording of the notice. */
  isRequested: boolean;
  onSelect(version: number): void;
}

/** Shows a notice if this version is outdated and another if a different version is playing. */
export function VersionNotices({ common, version, newest, missingVersion, isRequested, onSelect }: NoticeProps) {
  return (
    <>
      {missingVersion !== null && <VersionNotice>{t("noSuchVersion", { number: missingVersion, newest })}</VersionNotice>}
      {version < newest && (
        <VersionNotice>
          {isRequested ? t("olderVersion", { number: version, newest }) : t("newerVersion", { newest })}
          <Button size="sm" onClick={() => onSelect(newest)}>
            {t("openNewest", { newest })}
          </Button>
          {isRequested && <RestoreVersionButton common={common} version={version} onSelect={onSelect} />}
        </VersionNotice>
      )}
      <OtherVersionNotice fileId={common.id} version={version} onSelect={onSelect} />
    </>
  );
}

/** Makes this version the current one, for those who may add versions. */
function RestoreVersionButton({ common, version, onSelect }: { common: FileCommon; version: number; onSelect(version: number): void }) {
  const { api } = useClient();
  const user = useCurrentUser();
  const restore = useRestoreVersion(common.id);
  const toasts = useToasts();
  const facts = { isOwn: common.account_id === user.accountId, isProtected: common.removal_protection === true, isFinal: common.status?.is_final === true };
  if (!api.offers(restoreVersion) || !can(user, "file.add_version", facts)) return null;
  return (
    <Button
      size="sm"
      pending={restore.isPending}
      onClick={() =>
        restore.mutate(version, {
          onSuccess(restored) {
            const number = Number(restored["version"]);
            toasts.show({ text: t("versionRestored", { number: version, restored: number }) });
            onSelect(number);
          },
          onError: (error) => toasts.showError(t("versionNotRestored", { reason: formatErrorReason(error) })),
        })
      }
    >
      {t("restoreVersion", { number: version })}
    </Button>
  );
}

/** Shows which other version of this file is playing, because the mini player is hidden on this page. */
function OtherVersionNotice({ fileId, version, onSelect }: { fileId: number; version: number; onSelect(version: number): void }) {
  const player = usePlayer();
  const otherVersion = useOtherPlayingVersion(fileId, version);
  if (!otherVersion) return null;
  const number = otherVersion.version;
  return (
    <VersionNotice>
      {number === null ? t("otherPlaysUnknown") : t("otherPlays", { number })}
      <Button size="sm" onClick={player.pause}>
        {t("pause")}
      </Button>
      {number !== null && (
        <Button size="sm" variant="ghost" onClick={() => onSelect(number)}>
          {t("goToVersion")}
        </Button>
      )}
    </VersionNotice>
  );
}

function VersionNotice({ children }: { children: ReactNode }) {
  return (
    <Notice tone="info" className="mx-4 mt-4 tablet:mx-5">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">{children}</span>
    </Notice>
  );
}
