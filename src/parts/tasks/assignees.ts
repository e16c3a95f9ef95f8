/** Lists the people to whom a task can be assigned. */
export interface Assignee {
  id: number;
  username: string;
}

/** Returns the own account, then the other members by name; the current assignee stays on the list. */
export function listAssignees(members: readonly Assignee[], self: Assignee, current: Assignee | null): Assignee[] {
  const otherMembers = members.filter(({ id }) => id !== self.id).toSorted((a, b) => a.username.localeCompare(b.username));
  const candidates = [self, ...otherMembers];
  return current === null || candidates.some(({ id }) => id === current.id) ? candidates : [...candidates, current];
}
