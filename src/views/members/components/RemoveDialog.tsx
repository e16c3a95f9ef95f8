import { useNavigate } from "react-router";
import type { ProjectMember } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/members.ts";
import { describeError } from "../../../queries/problems.ts";
import { useRemoveProjectMember } from "../../../queries/projects/use-change-projects.ts";
import { permissionsOf } from "../../../queries/session/rights.ts";
import { useSession } from "../../../queries/session/use-session.ts";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";

interface Props {
  projectId: number;
  person: ProjectMember;
  onClose(): void;
}

/** Removes a person from the project, or lets the user leave it. */
export function RemoveDialog({ projectId, person, onClose }: Props) {
  const navigate = useNavigate();
  const session = useSession();
  const remove = useRemoveProjectMember(projectId);
  const isSelf = session.account.id === person.id;
  const isManager = permissionsOf(person.role).canManageMembers;
  const help = isSelf ? (isManager ? t("leaveManager") : t("leaveHelp")) : isManager ? t("removeManager", { name: person.username }) : t("removeHelp");
  return (
    <ConfirmDialog
      title={isSelf ? t("leaveTitle") : t("removeTitle", { name: person.username })}
      description={help}
      confirmLabel={isSelf ? t("leave") : t("remove")}
      cancelLabel={t("cancel")}
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(person.id, {
          onSuccess: () => {
            onClose();
            if (isSelf && !isManager) void navigate("/", { replace: true });
          },
        })
      }
      onClose={onClose}
    >
      {remove.error && <Notice title={describeError(remove.error).title}>{describeError(remove.error).help}</Notice>}
    </ConfirmDialog>
  );
}
