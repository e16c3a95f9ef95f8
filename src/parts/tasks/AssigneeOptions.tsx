import { t } from "../../lib/messages/tasks.ts";
import { usePeople } from "../../queries/members/use-people.ts";
import { useProjectMembers } from "../../queries/projects/use-projects.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { listAssignees } from "./assignees.ts";

/** Options for the people who can be assigned a task of this project, the own account first; includes `selectedId` even if that person has left. */
export function AssigneeOptions({ projectId, selectedId }: { projectId: number; selectedId: number | null }) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data ?? [];
  const personOf = usePeople(projectId);
  return (
    <>
      <option value="">{t("unassigned")}</option>
      {listAssignees(members, account, selectedId === null ? null : { id: selectedId, username: personOf(selectedId)?.name ?? t("formerMember") }).map(
        ({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ),
      )}
    </>
  );
}
