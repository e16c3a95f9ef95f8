import { CircleDot, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FileStatus } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/status-settings.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { useRights } from "../../../queries/session/use-rights.ts";
import { useTeamStatuses } from "../../../queries/statuses/use-statuses.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";
import { useFocusWhenGone } from "../../../ui/use-focus-when-gone.ts";
import { Section } from "../components/Section.tsx";
import { DefaultStatus } from "./DefaultStatus.tsx";
import { DeleteStatusDialog } from "./DeleteStatusDialog.tsx";
import { StatusForm } from "./StatusForm.tsx";
import { StatusList } from "./StatusList.tsx";

type Asked = { what: "new" } | { what: "edit" | "delete"; status: FileStatus };

/** One team's statuses. Who manages changes them, everybody else reads them. */
export function TeamStatuses({ teamId, name }: { teamId: number; name: string | null }) {
  const list = useTeamStatuses(teamId);
  const { managesStatuses } = useRights();
  const [asked, setAsked] = useState<Asked | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAdd = useFocusWhenGone(addButton);
  const { statuses = [], defaultId = null } = list.data ?? {};
  const full = statuses.length >= LIMITS.file_statuses_per_team;
  const close = () => setAsked(null);
  // Who else works here may have deleted what one is asked about.
  const open = asked && (asked.what === "new" || statuses.some(({ id }) => id === asked.status.id)) ? asked : null;
  const lead = t(managesStatuses ? "lead" : "leadRead");
  return (
    <>
      <Section
        title={name ?? t("statuses")}
        lead={list.data ? `${lead} ${t("count", { count: statuses.length, most: LIMITS.file_statuses_per_team })}` : lead}
        actions={
          managesStatuses &&
          list.data && (
            <Button ref={addButton} look="primary" disabled={full} onClick={() => setAsked({ what: "new" })}>
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
          changes={managesStatuses}
          onEdit={(status) => setAsked({ what: "edit", status })}
          onDelete={(status) => setAsked({ what: "delete", status })}
        />
      </Section>
      {managesStatuses && full && <p className="-mt-5 mb-8 text-text-2">{t("full", { most: LIMITS.file_statuses_per_team })}</p>}
      {managesStatuses && list.data && <DefaultStatus teamId={teamId} statuses={statuses} defaultId={defaultId} />}
      {open?.what === "new" && <StatusForm teamId={teamId} statuses={statuses} status={null} onClose={close} />}
      {open?.what === "edit" && <StatusForm teamId={teamId} statuses={statuses} status={open.status} onClose={close} />}
      {open?.what === "delete" && (
        <DeleteStatusDialog
          teamId={teamId}
          status={open.status}
          others={statuses.filter(({ id }) => id !== open.status.id)}
          onDeleted={focusAdd}
          onClose={close}
        />
      )}
    </>
  );
}
