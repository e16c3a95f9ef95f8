/** Pure updates of the group list. */
import type { Group } from "../../../contract/records.ts";

/** Returns the list with the group added or replaced. */
export function withGroup(groups: Group[] | undefined, group: Group): Group[] | undefined {
  if (!groups) return groups;
  return groups.some(({ id }) => id === group.id) ? groups.map((existing) => (existing.id === group.id ? group : existing)) : [...groups, group];
}
