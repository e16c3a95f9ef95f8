/** Pure updates of the member list. */
import type { Member } from "../../../contract/records.ts";

/** Applies a change to one member; an unknown person is not added, since an event does not carry the full record. */
export function withMember(members: Member[] | undefined, change: Partial<Member> & { id: number }): Member[] | undefined {
  return members?.map((member) => (member.id === change.id ? { ...member, ...change } : member));
}
