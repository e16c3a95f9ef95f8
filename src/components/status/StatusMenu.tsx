import { ChevronDown, MessageSquareText, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { FileStatus } from "../../../contract/records.ts";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/status.ts";
import { useCan } from "../../queries/permissions.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useStatuses } from "../../queries/statuses/use-statuses.ts";
import { usePendingStatusChange } from "../../sync/statuses/use-pending-statuses.ts";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { Countdown, useChangeStatus, useInlineStatus } from "./status-change.tsx";
import { StatusBadge } from "./StatusBadge.tsx";
import { StatusDialog } from "./StatusDialog.tsx";

const noop = () => {};

interface Props {
  fileId: number;
  /** The team that owns the statuses. */
  teamId: number;
  fileName: string;
  status: FileStatus | null;
  /** `tabIndex` of the button; -1 where the surrounding widget moves the focus to it. */
  tabIndex?: number;
  /** True in a table cell. */
  isNarrow?: boolean;
}

/** Shows a file's status, with a menu that changes it if the service can. */
export function StatusMenu(props: Props) {
  if (useHasFeature("statuses")) return <ChangeableStatus {...props} />;
  return props.status && <StatusBadge status={props.status} />;
}

/** A change applies after five seconds and can be undone until then. */
function ChangeableStatus({ fileId, teamId, fileName, status, tabIndex, isNarrow = false }: Props) {
  const canSetStatuses = useCan("file.status");
  const pendingChange = usePendingStatusChange(fileId);
  const changeStatus = useChangeStatus(teamId);
  // Load the statuses before the menu opens, so that it opens with them.
  const statuses = useStatuses(teamId, canSetStatuses);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  useInlineStatus(fileId, pendingChange !== undefined);
  const displayedStatus = pendingChange?.status ?? status;
  const file = { id: fileId, name: fileName, before: status };
  const title = displayedStatus?.title ?? t("none");
  return (
    <span data-status className={classNames("inline-flex min-w-0 items-center", isNarrow ? "gap-0.5" : "gap-1.5")}>
      <Menu
        label={pendingChange ? t("statusPending", { file: fileName, status: title }) : t("statusOf", { file: fileName, status: title })}
        trigger={
          <>
            <StatusBadge status={displayedStatus} isPending={pendingChange !== undefined} />
            {!(isNarrow && pendingChange) && <ChevronDown size={14} aria-hidden className="shrink-0 text-text-2" />}
          </>
        }
        triggerClassName="inline-flex min-h-8 min-w-0 items-center gap-1 rounded-md px-1 hover:bg-hover"
        align="end"
        tabIndex={tabIndex}
        isLoading={statuses.isPending}
        checked={canSetStatuses && statuses.data ? (displayedStatus?.id ?? null) : undefined}
      >
        {canSetStatuses ? (
          <StatusOptions query={statuses} onSelect={(next) => changeStatus([file], next)} onAddNote={() => setIsDialogOpen(true)} />
        ) : (
          <MenuItem onSelect={noop} disabledReason={t("guest")}>
            <StatusBadge status={status} />
          </MenuItem>
        )}
      </Menu>
      {pendingChange && <Countdown pendingChange={pendingChange} fileId={fileId} tabIndex={tabIndex} isShort={isNarrow} />}
      {isDialogOpen && <StatusDialog teamId={teamId} files={[file]} shouldFocusNote onClose={() => setIsDialogOpen(false)} />}
    </span>
  );
}

interface StatusOptionsProps {
  query: ReturnType<typeof useStatuses>;
  onSelect(status: FileStatus): void;
  onAddNote(): void;
}

function StatusOptions({ query: { data: statuses, isError, refetch }, onSelect, onAddNote }: StatusOptionsProps) {
  if (!statuses) {
    return (
      <MenuItem icon={<RotateCcw size={16} aria-hidden />} onSelect={() => void refetch()} disabledReason={isError ? undefined : t("loading")}>
        {isError ? t("loadFailed") : t("none")}
      </MenuItem>
    );
  }
  if (statuses.length === 0) {
    return (
      <MenuItem onSelect={noop} disabledReason={t("empty")}>
        <StatusBadge status={null} />
      </MenuItem>
    );
  }
  return (
    <>
      {statuses.map((option) => (
        <MenuItem key={option.id} id={option.id} text={option.title} onSelect={() => onSelect(option)}>
          <StatusBadge status={option} />
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuGroup label={t("withNote")}>
        <MenuItem icon={<MessageSquareText size={16} aria-hidden />} onSelect={onAddNote}>
          {t("withNote")}
        </MenuItem>
      </MenuGroup>
    </>
  );
}
