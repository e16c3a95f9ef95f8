/** Pure changes of the group list. */
import type { Group } from "../../../contract/records.ts";

/** The list with this group new or changed. */
export function withGroup(groups: Group[] | undefined, group: Group): Group[] | undefined {
  if (!groups) return groups;
  return groups.some(({ id }) => id === group.id) ? groups.map((existing) => (existing.id === group.id ? group : existing)) : [...groups, group];
}
