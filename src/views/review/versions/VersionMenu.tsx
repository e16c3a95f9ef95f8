import { ChevronDown } from "lucide-react";
import { useLocation, useNavigate } from "react-router";
import type { FileCommon, FileVersion } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/review-player.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { useVersions } from "../../../queries/files/use-file.ts";
import { usePeople } from "../../../queries/members.ts";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { withRecordedPosition } from "../../../lib/recorded-position.ts";

interface Props {
  common: FileCommon;
  /** The version shown. */
  version: number;
  newest: number;
  onSelect(version: number): void;
}

/** Shows the current version and lists the others. */
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
  const { data, isError, refetch } = useVersions(common.id);
  const personOf = usePeople(common.project_id);
  const formatAuthor = ({ account_id, created_at }: FileVersion) =>
    t("versionBy", { name: personOf(account_id)?.name ?? t("formerMember"), time: formatDateTime(created_at) });
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
      <span className="block text-xs text-text-2">{formatAuthor(fileVersion)}</span>
    </MenuItem>
  ));
}

/** Opens another version on the same page and keeps the position, so that playback continues. */
export function useSelectVersion(newest: number | null): (version: number) => void {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  return (version) => {
    const query = new URLSearchParams(search);
    if (version === newest) query.delete("v");
    else query.set("v", String(version));
    const text = query.toString();
    void navigate(text ? `${pathname}?${text}` : pathname, { replace: true, state: withRecordedPosition(state) });
  };
}
