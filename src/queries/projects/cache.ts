/** Pure changes of the project list and of a project's people. */
import type { Project, ProjectMember } from "../../../contract/records.ts";

type Projects = Project[] | undefined;
type People = ProjectMember[] | undefined;

const put = <T extends { id: number }>(all: T[] | undefined, one: T): T[] | undefined => {
  if (!all) return all;
  return all.some(({ id }) => id === one.id) ? all.map((known) => (known.id === one.id ? one : known)) : [...all, one];
};

/** The list with this project new or replaced. */
export const withProject = (projects: Projects, project: Project): Projects => put(projects, project);

export const withoutProject = (projects: Projects, projectId: number): Projects => projects?.filter(({ id }) => id !== projectId);

/** The people with this one new or replaced. */
export const withProjectMember = (people: People, person: ProjectMember): People => put(people, person);

export const withoutProjectMember = (people: People, accountId: number): People => people?.filter(({ id }) => id !== accountId);
