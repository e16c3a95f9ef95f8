import { FolderOpen, Plus, UserPlus } from "lucide-react";
import { useNavigate } from "react-router";
import { t } from "../../lib/texts/shell.ts";
import { useCan } from "../../queries/permissions.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";

/** Creates projects and groups, and invites people. */
export function CreateMenu() {
  const canCreateProjects = useCan("project.create");
  const canCreateGroups = useCan("group.create");
  const canInvite = useCan("team.invite", { newRole: "member" });
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  return (
    <Menu label={t("create")} trigger={<Plus size={18} aria-hidden />} triggerClassName={iconButtonClasses}>
      {canCreateProjects && (
        <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => openDialog({ kind: "new-project" })}>
          {t("newProject")}
        </MenuItem>
      )}
      {canCreateGroups && (
        <MenuItem icon={<FolderOpen size={16} aria-hidden />} onSelect={() => openDialog({ kind: "new-group" })}>
          {t("newGroup")}
        </MenuItem>
      )}
      {canInvite && (
        <MenuItem icon={<UserPlus size={16} aria-hidden />} onSelect={() => void navigate("/settings/members?invite=new")}>
          {t("invitePeople")}
        </MenuItem>
      )}
    </Menu>
  );
}
