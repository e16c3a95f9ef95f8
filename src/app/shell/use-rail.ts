import { useMemo } from "react";
import { useGroups } from "../../queries/groups/use-groups.ts";
import { useProjects } from "../../queries/projects/use-projects.ts";
import { useTeams } from "../../queries/teams/use-teams.ts";
import { railSections } from "./rail-sections.ts";

/** Returns the data that the rail shows. */
export function useRail() {
  const projects = useProjects();
  const groups = useGroups();
  const teams = useTeams();
  const sections = useMemo(() => railSections(projects.data ?? [], groups.data ?? [], teams.data ?? []), [projects.data, groups.data, teams.data]);
  return { sections, loading: projects.isPending, error: projects.data ? null : projects.error, retry: () => void projects.refetch() };
}
