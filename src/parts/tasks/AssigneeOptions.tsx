import { t } from "../../lib/messages/tasks.ts";
import { usePeople } from "../../queries/members/use-people.ts";
import { useProjectMembers } from "../../queries/projects/use-projects.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { listAssignees } from "./assignees.ts";

/** Whom a task of this project can be given to, oneself first. `selectedId` is offered even where they have left. */
export function AssigneeOptions({ projectId, selectedId }: { projectId: number; selectedId: number | null }) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data ?? [];
  const personOf = usePeople(projectId);
  return (
    <>
      <option value="">{t("nobody")}</option>
      {listAssignees(members, account, selectedId === null ? null : { id: selectedId, username: personOf(selectedId)?.name ?? t("somebody") }).map(
        ({ id, username }) => (
          <option key={id} value={id}>
            {username}
          </option>
        ),
      )}
    </>
  );
}
