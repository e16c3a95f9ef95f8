import { ChevronDown, MessageSquareText, RotateCcw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { FileStatus } from "../../../contract/records.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/status.ts";
import { useRights } from "../../queries/session/use-rights.ts";
import { useChoiceFor } from "../../queries/statuses/use-choices.ts";
import { useStatuses } from "../../queries/statuses/use-statuses.ts";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { Countdown } from "./Countdown.tsx";
import { useShownInPlace } from "./in-place.ts";
import { StatusBadge } from "./StatusBadge.tsx";
import { useChoose } from "./use-choose.ts";

const StatusDialog = lazy(async () => ({ default: (await import("./StatusDialog.tsx")).StatusDialog }));

const nothing = () => {};

interface Props {
  fileId: number;
  /** Whose statuses these are. */
  teamId: number;
  fileName: string;
  status: FileStatus | null;
  /** Of its button; -1 where its surroundings lead to it. */
  tabIndex?: number;
  /** In a cell of a table. */
  narrow?: boolean;
}

/** A file's status with the menu that changes it. What is chosen counts after five seconds, and can be taken back until then. */
export function StatusMenu({ fileId, teamId, fileName, status, tabIndex, narrow = false }: Props) {
  const { setsStatuses } = useRights();
  const choice = useChoiceFor(fileId);
  const choose = useChoose(teamId);
  // Before the menu opens, so that it opens with them.
  const statuses = useStatuses(teamId, setsStatuses);
  const [noting, setNoting] = useState(false);
  useShownInPlace(fileId, choice !== undefined);
  const shown = choice?.status ?? status;
  const file = { id: fileId, name: fileName, before: status };
  const title = shown?.title ?? t("none");
  return (
    <span data-status className={classes("inline-flex min-w-0 items-center", narrow ? "gap-0.5" : "gap-1.5")}>
      <Menu
        label={choice ? t("statusSoon", { file: fileName, status: title }) : t("statusOf", { file: fileName, status: title })}
        trigger={
          <>
            <StatusBadge status={shown} soon={choice !== undefined} />
            {!(narrow && choice) && <ChevronDown size={14} aria-hidden className="shrink-0 text-text-2" />}
          </>
        }
        triggerClass="inline-flex min-h-8 min-w-0 items-center gap-1 rounded-md px-1 hover:bg-hover"
        align="end"
        tabIndex={tabIndex}
      >
        {setsStatuses ? (
          <Choices list={statuses} chosen={shown} onChoose={(next) => choose([file], next)} onNote={() => setNoting(true)} />
        ) : (
          <MenuItem onSelect={nothing} disabledReason={t("guest")}>
            <StatusBadge status={status} />
          </MenuItem>
        )}
      </Menu>
      {choice && <Countdown choice={choice} fileId={fileId} tabIndex={tabIndex} short={narrow} />}
      <Suspense fallback={null}>{noting && <StatusDialog teamId={teamId} files={[file]} withNote onClose={() => setNoting(false)} />}</Suspense>
    </span>
  );
}

interface ChoicesProps {
  list: ReturnType<typeof useStatuses>;
  chosen: FileStatus | null;
  onChoose(status: FileStatus): void;
  onNote(): void;
}

function Choices({ list: { data: statuses, isError, refetch }, chosen, onChoose, onNote }: ChoicesProps) {
  if (!statuses) {
    return (
      <MenuItem icon={<RotateCcw size={16} aria-hidden />} onSelect={() => void refetch()} disabledReason={isError ? undefined : t("loading")}>
        {isError ? t("loadFailed") : t("none")}
      </MenuItem>
    );
  }
  if (statuses.length === 0) {
    return (
      <MenuItem onSelect={nothing} disabledReason={t("empty")}>
        <StatusBadge status={null} />
      </MenuItem>
    );
  }
  return (
    <>
      {statuses.map((one) => (
        <MenuItem key={one.id} checked={one.id === chosen?.id} onSelect={() => onChoose(one)}>
          <StatusBadge status={one} />
        </MenuItem>
      ))}
      <hr className="my-1 border-line" />
      {/* After the menu has given the focus back. */}
      <MenuItem icon={<MessageSquareText size={16} aria-hidden />} onSelect={() => requestAnimationFrame(onNote)}>
        {t("withNote")}
      </MenuItem>
    </>
  );
}
