/** Pure changes of the list of people. */
import type { Member } from "../../../contract/records.ts";

/** The list with what changed of one person; somebody who is not in it is left out, since an event does not carry all of them. */
export function withMember(members: Member[] | undefined, change: Partial<Member> & { id: number }): Member[] | undefined {
  return members?.map((member) => (member.id === change.id ? { ...member, ...change } : member));
}
