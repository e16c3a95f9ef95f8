import { useMemo } from "react";
import type { MetadataField, MetadataValue } from "../../../contract/metadata-records.ts";
import { listAssignees } from "../tasks/tasks.ts";
import { t } from "../../lib/texts/metadata.ts";
import { usePeople } from "../../queries/members.ts";
import { useProjectMembers } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";

/** Returns the people whom a person field offers, also the one that it names if that person has left, and the name of each account. */
export function useMembersOfField(projectId: number, { type }: MetadataField, value: MetadataValue | undefined) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data;
  const personOf = usePeople(projectId);
  return useMemo(() => {
    const nameOf = (id: number): string | undefined => personOf(id)?.name;
    const named = type === "person" && value !== undefined ? { id: Number(value), username: nameOf(Number(value)) ?? t("formerMember") } : null;
    return { people: type === "person" ? listAssignees(members ?? [], account, named) : [], nameOf };
  }, [type, value, members, account, personOf]);
}
