import { CircleDot, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FileStatus } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/status-settings.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { usePermissions } from "../../../queries/session/use-rights.ts";
import { useTeamStatuses } from "../../../queries/statuses/use-statuses.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-when-gone.ts";
import { Section } from "../components/Section.tsx";
import { DefaultStatus } from "./DefaultStatus.tsx";
import { DeleteStatusDialog } from "./DeleteStatusDialog.tsx";
import { StatusForm } from "./StatusForm.tsx";
import { StatusList } from "./StatusList.tsx";

type ActiveDialog = { kind: "new" } | { kind: "edit" | "delete"; status: FileStatus };

/** Shows one team's statuses, read-only for users who cannot manage them. */
export function TeamStatuses({ teamId, name }: { teamId: number; name: string | null }) {
  const list = useTeamStatuses(teamId);
  const { canManageStatuses } = usePermissions();
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const { statuses = [], defaultId = null } = list.data ?? {};
  const isFull = statuses.length >= LIMITS.file_statuses_per_team;
  const close = () => setActiveDialog(null);
  // Another user may have deleted the status of the open dialog.
  const openDialog = activeDialog && (activeDialog.kind === "new" || statuses.some(({ id }) => id === activeDialog.status.id)) ? activeDialog : null;
  const lead = t(canManageStatuses ? "lead" : "leadRead");
  return (
    <>
      <Section
        title={name ?? t("statuses")}
        lead={list.data ? `${lead} ${t("count", { count: statuses.length, most: LIMITS.file_statuses_per_team })}` : lead}
        actions={
          canManageStatuses &&
          list.data && (
            <Button ref={addButton} variant="primary" disabled={isFull} onClick={() => setActiveDialog({ kind: "new" })}>
              <Plus size={16} aria-hidden />
              {t("add")}
            </Button>
          )
        }
      >
        {list.isPending && <RowsSkeleton rows={4} />}
        {list.isError && !list.data && <LoadError error={list.error} retry={() => void list.refetch()} />}
        {list.data && statuses.length === 0 && (
          <EmptyState icon={<CircleDot size={22} aria-hidden />} title={t("empty")}>
            {t("emptyHelp")}
          </EmptyState>
        )}
        <StatusList
          teamId={teamId}
          statuses={statuses}
          defaultId={defaultId}
          canEdit={canManageStatuses}
          onEdit={(status) => setActiveDialog({ kind: "edit", status })}
          onDelete={(status) => setActiveDialog({ kind: "delete", status })}
        />
      </Section>
      {canManageStatuses && isFull && <p className="-mt-5 mb-8 text-text-2">{t("full", { most: LIMITS.file_statuses_per_team })}</p>}
      {canManageStatuses && list.data && <DefaultStatus teamId={teamId} statuses={statuses} defaultId={defaultId} />}
      {openDialog?.kind === "new" && <StatusForm teamId={teamId} statuses={statuses} status={null} onClose={close} />}
      {openDialog?.kind === "edit" && <StatusForm teamId={teamId} statuses={statuses} status={openDialog.status} onClose={close} />}
      {openDialog?.kind === "delete" && (
        <DeleteStatusDialog
          teamId={teamId}
          status={openDialog.status}
          otherStatuses={statuses.filter(({ id }) => id !== openDialog.status.id)}
          onDeleted={focusAddButton}
          onClose={close}
        />
      )}
    </>
  );
}
