import { useMemo } from "react";
import type { Group, Project, Team } from "../../../contract/records.ts";
import { useProjects } from "../../queries/projects.ts";
import { useGroups, useTeams } from "../../queries/teams.ts";

/** A group of the rail with its projects. */
export interface Section {
  /** Null for the projects without a group. */
  group: Group | null;
  title: string | null;
  projects: Project[];
}

/** Returns the data that the rail shows. */
export function useRailSections() {
  const projects = useProjects();
  const groups = useGroups();
  const teams = useTeams();
  const listed = useMemo(() => (projects.data ?? []).filter(isListed), [projects.data]);
  const sections = useMemo(() => railSections(listed, groups.data ?? [], teams.data ?? []), [listed, groups.data, teams.data]);
  const archivedCount = (projects.data?.length ?? 0) - listed.length;
  return {
    projects: listed,
    sections,
    archivedCount,
    loading: projects.isPending,
    error: projects.data ? null : projects.error,
    retry: () => void projects.refetch(),
  };
}

/**
 * Orders the rail without archived projects: groups by name with their projects by name, then projects without a group. Keeps empty groups so that a new one is visible, and puts
 * the team's name before a group if there are several teams.
 */
export function railSections(allProjects: readonly Project[], groups: readonly Group[], teams: readonly Team[]): Section[] {
  const projects = allProjects.filter(isListed);
  const groupIds = new Set(groups.map(({ id }) => id));
  const teamName = (id: number) => (teams.length > 1 ? teams.find((team) => team.id === id)?.name : undefined);
  const sections: Section[] = groups.toSorted(byName).map((group) => ({
    group,
    title: [teamName(group.team_id), group.name].filter(Boolean).join(" · "),
    projects: projects.filter(({ group_id }) => group_id === group.id).toSorted(byName),
  }));
  // Projects whose group is not visible to the person still appear.
  const ungrouped = projects.filter(({ group_id }) => group_id === null || !groupIds.has(group_id)).toSorted(byName);
  if (ungrouped.length > 0) sections.push({ group: null, title: null, projects: ungrouped });
  return sections;
}

const isListed = ({ archived_at }: Project) => !archived_at;
const byName = (a: { name: string; id: number }, b: { name: string; id: number }) => a.name.localeCompare(b.name, "en", { numeric: true }) || a.id - b.id;

/** Returns the project before (-1) or after (1) `current` in the rail's order, wrapping around at the ends. */
export function adjacentProject(sections: readonly Section[], current: number | undefined, step: -1 | 1): Project | undefined {
  const all = sections.flatMap((section) => section.projects);
  if (all.length === 0) return undefined;
  const index = all.findIndex(({ id }) => id === current);
  return index < 0 ? all.at(step === 1 ? 0 : -1) : all.at((index + step) % all.length);
}
