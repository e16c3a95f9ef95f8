import { t } from "../../lib/messages/tasks.ts";
import { usePeople } from "../../queries/members/use-people.ts";
import { useProjectMembers } from "../../queries/projects/use-projects.ts";
import { useSession } from "../../queries/session/use-session.ts";
import { assigneesOf } from "./assignees.ts";

/** Whom a task of this project can be given to, oneself first. `chosen` is offered even where they have left. */
export function AssigneeOptions({ projectId, chosen }: { projectId: number; chosen: number | null }) {
  const { account } = useSession();
  const members = useProjectMembers(projectId).data ?? [];
  const personOf = usePeople(projectId);
  return (
    <>
      <option value="">{t("nobody")}</option>
      {assigneesOf(members, account, chosen === null ? null : { id: chosen, username: personOf(chosen)?.name ?? t("somebody") }).map(({ id, username }) => (
        <option key={id} value={id}>
          {username}
        </option>
      ))}
    </>
  );
}
