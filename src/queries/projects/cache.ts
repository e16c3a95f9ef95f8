/** Pure updates of the project list and of a project's members. */
import type { Project, ProjectMember } from "../../../contract/records.ts";

type Projects = Project[] | undefined;
type People = ProjectMember[] | undefined;

const upsertById = <T extends { id: number }>(items: T[] | undefined, item: T): T[] | undefined => {
  if (!items) return items;
  return items.some(({ id }) => id === item.id) ? items.map((existing) => (existing.id === item.id ? item : existing)) : [...items, item];
};

/** Returns the list with the project added or replaced. */
export const withProject = (projects: Projects, project: Project): Projects => upsertById(projects, project);

export const withoutProject = (projects: Projects, projectId: number): Projects => projects?.filter(({ id }) => id !== projectId);

/** Returns the members with this one added or replaced. */
export const withProjectMember = (people: People, person: ProjectMember): People => upsertById(people, person);

export const withoutProjectMember = (people: People, accountId: number): People => people?.filter(({ id }) => id !== accountId);
