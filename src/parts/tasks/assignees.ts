/** Whom a task can be given to. */
export interface Assignee {
  id: number;
  username: string;
}

/** Oneself, then the project's people by name; who has the task now stays on the list. */
export function assigneesOf(members: readonly Assignee[], self: Assignee, current: Assignee | null): Assignee[] {
  const others = members.filter(({ id }) => id !== self.id).toSorted((a, b) => a.username.localeCompare(b.username));
  const known = [self, ...others];
  return current === null || known.some(({ id }) => id === current.id) ? known : [...known, current];
}
