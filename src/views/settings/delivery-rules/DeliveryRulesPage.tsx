/** The delivery rules of each of the user's teams, usually one. */
import { ClipboardCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import type { DeliveryRules } from "../../../../contract/delivery-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/delivery-rules.ts";
import { formatRelativeTime } from "../../../lib/time.ts";
import { useDeliveryRules } from "../../../queries/delivery-rules/use-delivery-rules.ts";
import { useMembers } from "../../../queries/members.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useTeams } from "../../../queries/teams.ts";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { describeRules } from "./format-rules.ts";
import { RulesForm } from "./RulesForm.tsx";

export function DeliveryRulesPage() {
  const teams = useTeams();
  const [dirtyTeams, setDirtyTeams] = useState<readonly number[]>([]);
  const setDirty = (teamId: number) => (isDirty: boolean) => setDirtyTeams((others) => [...others.filter((id) => id !== teamId), ...(isDirty ? [teamId] : [])]);
  if (!teams.data) {
    return (
      <ListSection title={t("rules")}>
        <ListState query={teams} rows={4} />
      </ListSection>
    );
  }
  return (
    <>
      {teams.data.map((team) => (
        <TeamRules key={team.id} teamId={team.id} name={teams.data.length > 1 ? team.name : null} onDirtyChange={setDirty(team.id)} />
      ))}
      <LeaveGuard isActive={dirtyTeams.length > 0} />
    </>
  );
}

interface TeamRulesProps {
  teamId: number;
  name: string | null;
  onDirtyChange(isDirty: boolean): void;
}

/** Shows one team's rules, read-only for users who cannot manage them. */
function TeamRules({ teamId, name, onDirtyChange }: TeamRulesProps) {
  const query = useDeliveryRules(teamId);
  const canManage = useCan("delivery_rules.manage");
  return (
    <ListSection title={name ?? t("rules")} lead={t(canManage ? "lead" : "leadReadOnly")}>
      <ListState query={query} rows={4} />
      {query.data && canManage && <RulesForm teamId={teamId} rules={query.data} onDirtyChange={onDirtyChange} />}
      {query.data && !canManage && <RulesFacts rules={query.data} />}
    </ListSection>
  );
}

function RulesFacts({ rules }: { rules: DeliveryRules }) {
  const facts = describeRules(rules);
  if (facts.length === 0) {
    return (
      <EmptyState icon={<ClipboardCheck size={22} aria-hidden />} title={t("empty")}>
        {t("emptyReadOnly")}
      </EmptyState>
    );
  }
  return (
    <>
      <dl className="py-1">
        {facts.map(({ label, text }) => (
          <div key={label} className="flex flex-col gap-x-4 border-b border-line py-2.5 last:border-0 tablet:flex-row">
            <dt className="w-56 shrink-0 text-text-2">{label}</dt>
            <dd className="min-w-0 wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
      <LastChange rules={rules} />
    </>
  );
}

function LastChange({ rules: { updated_at, updated_by_account_id } }: { rules: DeliveryRules }) {
  const now = useServiceTime();
  const name = useMembers().data?.find(({ id }) => id === updated_by_account_id)?.username;
  if (updated_at === null) return null;
  const when = formatRelativeTime(updated_at, now);
  return <p className="pb-3 text-sm text-text-3">{name === undefined ? t("changed", { when }) : t("changedBy", { when, name })}</p>;
}

/** Asks before the page is left with unsaved changes. */
function LeaveGuard({ isActive }: { isActive: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isActive]);
  if (blocker.state !== "blocked") return null;
  return (
    <ConfirmDialog
      title={t("leaveTitle")}
      description={t("leaveHelp")}
      confirmLabel={t("discard")}
      cancelLabel={t("stay")}
      onConfirm={() => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
