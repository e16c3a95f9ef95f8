import { CircleDot, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FileStatus } from "../../../../contract/records.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/status-settings.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useCan } from "../../../queries/permissions.ts";
import type { TeamStatuses as Team } from "../../../queries/statuses/cache-updates.ts";
import { firstStatus, useSetDefaultStatus, useSetVersionReset, useTeamStatuses } from "../../../queries/statuses/use-statuses.ts";
import { useTeams } from "../../../queries/teams.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { CheckField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { DeleteStatusDialog, StatusForm } from "./StatusDialogs.tsx";
import { StatusList } from "./StatusList.tsx";

/** Shows the statuses of each of the user's teams, usually one. */
export function StatusesPage() {
  const teams = useTeams();
  if (!teams.data) {
    return (
      <ListSection title={t("statuses")}>
        <ListState query={teams} rows={4} />
      </ListSection>
    );
  }
  return teams.data.map((team) => <TeamStatuses key={team.id} teamId={team.id} name={teams.data.length > 1 ? team.name : null} />);
}

type ActiveDialog = { kind: "new" } | { kind: "edit" | "delete"; status: FileStatus };

/** Shows one team's statuses, read-only for users who cannot manage them. */
function TeamStatuses({ teamId, name }: { teamId: number; name: string | null }) {
  const list = useTeamStatuses(teamId);
  const canManageStatuses = useCan("file_status.manage");
  const [activeDialog, setActiveDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const { statuses = [], defaultId = null } = list.data ?? {};
  const isFull = statuses.length >= LIMITS.file_statuses_per_team;
  const close = () => setActiveDialog(null);
  // Another user may have deleted the status of the open dialog.
  const openDialog = activeDialog && (activeDialog.kind === "new" || statuses.some(({ id }) => id === activeDialog.status.id)) ? activeDialog : null;
  const lead = t(canManageStatuses ? "lead" : "leadReadOnly");
  return (
    <>
      <ListSection
        title={name ?? t("statuses")}
        lead={list.data && canManageStatuses ? `${lead} ${t("count", { count: statuses.length, most: LIMITS.file_statuses_per_team })}` : lead}
        actions={
          canManageStatuses &&
          list.data && (
            <Button icon={Plus} ref={addButton} variant="primary" disabled={isFull} onClick={() => setActiveDialog({ kind: "new" })}>
              {t("add")}
            </Button>
          )
        }
      >
        <ListState query={list} rows={4} />
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
      </ListSection>
      {canManageStatuses && isFull && <p className="-mt-5 mb-8 text-text-2">{t("full", { most: LIMITS.file_statuses_per_team })}</p>}
      {canManageStatuses && list.data && <DefaultStatus teamId={teamId} statuses={statuses} defaultId={defaultId} />}
      {canManageStatuses && list.data && <VersionReset teamId={teamId} team={list.data} />}
      {openDialog && openDialog.kind !== "delete" && (
        <StatusForm teamId={teamId} statuses={statuses} status={openDialog.kind === "edit" ? openDialog.status : null} onClose={close} />
      )}
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

/** Selects the status of new uploads. */
function DefaultStatus({ teamId, statuses, defaultId }: { teamId: number; statuses: readonly FileStatus[]; defaultId: number | null }) {
  const setDefault = useSetDefaultStatus(teamId);
  return (
    <Select
      label={t("default")}
      hint={t("defaultHelp")}
      error={setDefault.error ? describeError(setDefault.error).title : undefined}
      className="mb-6 max-w-80"
      value={setDefault.isPending ? setDefault.variables : defaultId}
      options={[[null, t("defaultNone")], ...statuses.map(({ id, title }) => [id, title] as const)]}
      onChange={(id) => {
        const title = statuses.find((status) => status.id === id)?.title ?? t("defaultNone");
        setDefault.mutate(id, { onSuccess: () => announce(t("defaultSaved", { title })) });
      }}
    />
  );
}

/** Switches whether a new version resets a file's status; hidden if the service does not do that. */
function VersionReset({ teamId, team }: { teamId: number; team: Team }) {
  const setVersionReset = useSetVersionReset(teamId);
  if (team.newVersionResetsStatus === null) return null;
  const status = firstStatus(team)?.title;
  return (
    <div className="mb-8">
      <CheckField
        label={t("versionReset")}
        hint={status === undefined ? t("versionResetHelpEmpty") : t("versionResetHelp", { status })}
        checked={setVersionReset.isPending ? setVersionReset.variables : team.newVersionResetsStatus}
        onChange={(isOn) => setVersionReset.mutate(isOn, { onSuccess: () => announce(t(isOn ? "versionResetOn" : "versionResetOff")) })}
      />
      <ErrorNotice error={setVersionReset.error} />
    </div>
  );
}
