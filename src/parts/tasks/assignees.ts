/** Whom a task can be given to. */
export interface Assignee {
  id: number;
  username: string;
}

/** Oneself, then the project's people by name; who has the task now stays on the list. */
export function listAssignees(members: readonly Assignee[], self: Assignee, current: Assignee | null): Assignee[] {
  const otherMembers = members.filter(({ id }) => id !== self.id).toSorted((a, b) => a.username.localeCompare(b.username));
  const candidates = [self, ...otherMembers];
  return current === null || candidates.some(({ id }) => id === current.id) ? candidates : [...candidates, current];
}
