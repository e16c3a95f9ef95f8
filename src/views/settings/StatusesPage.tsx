import { t } from "../../lib/messages/status-settings.ts";
import { useTeams } from "../../queries/teams/use-teams.ts";
import { LoadError } from "../../parts/load-error/LoadError.tsx";
import { RowsSkeleton } from "../../ui/RowsSkeleton.tsx";
import { Section } from "./components/Section.tsx";
import { TeamStatuses } from "./statuses/TeamStatuses.tsx";

/** Shows the statuses of each of the user's teams, usually one. */
export function StatusesPage() {
  const teams = useTeams();
  if (!teams.data) {
    return (
      <Section title={t("statuses")}>
        {teams.isError ? <LoadError error={teams.error} retry={() => void teams.refetch()} /> : <RowsSkeleton rows={4} />}
      </Section>
    );
  }
  return teams.data.map((team) => <TeamStatuses key={team.id} teamId={team.id} name={teams.data.length > 1 ? team.name : null} />);
}
