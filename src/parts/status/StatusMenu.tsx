import { ChevronDown, CircleAlert, RotateCcw } from "lucide-react";
import type { FileStatus } from "../../../contract/records.ts";
import { t } from "../../lib/messages/status.ts";
import { explain } from "../../queries/problems.ts";
import { useRights } from "../../queries/session/use-rights.ts";
import { useSetStatus } from "../../queries/statuses/use-set-status.ts";
import { useStatuses } from "../../queries/statuses/use-statuses.ts";
import { announce } from "../../ui/announce.ts";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { StatusBadge } from "./StatusBadge.tsx";

const nothing = () => {};

interface Props {
  fileId: number;
  /** Whose statuses these are. */
  teamId: number;
  fileName: string;
  status: FileStatus | null;
  /** Of its button; -1 where its surroundings lead to it. */
  tabIndex?: number;
}

/** A file's status with the menu that changes it. Opening and choosing are two acts, so that nothing is approved by accident. */
export function StatusMenu({ fileId, teamId, fileName, status, tabIndex }: Props) {
  const { setsStatuses } = useRights();
  const { data: statuses, isError, refetch } = useStatuses(teamId, setsStatuses);
  const { mutate, error } = useSetStatus();

  const choose = (next: FileStatus) => {
    if (next.id === status?.id) return;
    mutate(
      { fileId, status: next, before: status },
      {
        onSuccess: () => announce(t("set", { file: fileName, status: next.title })),
        onError: () => announce(t("notSet", { file: fileName })),
      },
    );
  };
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <Menu
        label={t("statusOf", { file: fileName, status: status?.title ?? t("none") })}
        trigger={
          <>
            <StatusBadge status={status} />
            <ChevronDown size={14} aria-hidden className="text-text-2" />
          </>
        }
        triggerClass="inline-flex min-h-8 min-w-0 items-center gap-1 rounded-md px-1 hover:bg-hover"
        align="end"
        tabIndex={tabIndex}
      >
        {setsStatuses ? (
          statuses?.map((one) => (
            <MenuItem key={one.id} checked={one.id === status?.id} onSelect={() => choose(one)}>
              <StatusBadge status={one} />
            </MenuItem>
          ))
        ) : (
          <MenuItem onSelect={nothing} disabledReason={t("guest")}>
            <StatusBadge status={status} />
          </MenuItem>
        )}
        {setsStatuses && statuses?.length === 0 && (
          <MenuItem onSelect={nothing} disabledReason={t("empty")}>
            <StatusBadge status={null} />
          </MenuItem>
        )}
        {setsStatuses && !statuses && (
          <MenuItem icon={<RotateCcw size={16} aria-hidden />} onSelect={() => void refetch()} disabledReason={isError ? undefined : t("loading")}>
            {isError ? t("loadFailed") : t("none")}
          </MenuItem>
        )}
      </Menu>
      {error && (
        <span role="alert" className="inline-flex items-center gap-1.5 text-sm text-danger">
          <CircleAlert size={14} aria-hidden className="shrink-0" />
          {explain(error).title}
        </span>
      )}
    </span>
  );
}
