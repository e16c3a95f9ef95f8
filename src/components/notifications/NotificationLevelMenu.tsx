import { Bell, BellDot, BellOff } from "lucide-react";
import { useNavigate } from "react-router";
import { t } from "../../lib/texts/notification-level.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useProjectNotificationSettings, useUpdateProjectNotificationSettings } from "../../queries/notifications/use-settings.ts";
import { useHasFeature } from "../../queries/service.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { useToasts } from "../../ui/toast.ts";
import { changesFor, levelOf, LEVELS } from "./notification-level.ts";

const ICONS = { all: Bell, mentions: BellDot, nothing: BellOff } as const;

interface Props {
  project: { id: number; name: string };
}

/** A button that shows and changes how much of a project notifies the person. */
export function NotificationLevelMenu({ project, className = "" }: Props & { className?: string }) {
  const level = useLevel(project.id);
  const navigate = useNavigate();
  const hasNotifications = useHasFeature("notifications");
  if (!hasNotifications || level === undefined) return null;
  const Icon = ICONS[level ?? "all"];
  return (
    <Menu
      label={t("menu", { project: project.name })}
      trigger={<Icon size={18} aria-hidden />}
      triggerClassName={`${iconButtonClasses} ${className}`}
      align="end"
    >
      <NotificationLevelItems project={project} />
      <MenuSeparator />
      <MenuGroup label={t("more")}>
        <MenuItem onSelect={() => void navigate("/settings/notifications")}>{t("settings")}</MenuItem>
      </MenuGroup>
    </Menu>
  );
}

/** The items of that menu, for other menus of a project. */
export function NotificationLevelItems({ project }: Props) {
  const level = useLevel(project.id);
  const toasts = useToasts();
  const { mutate } = useUpdateProjectNotificationSettings((error) => toasts.showError(t("notSaved", { reason: formatErrorReason(error) })));
  return (
    <MenuGroup label={t("title")} showsLabel checked={level ?? null}>
      {LEVELS.map((option) => (
        <MenuItem
          key={option}
          id={option}
          text={t(option)}
          hint={t(`${option}Hint`)}
          onSelect={() => mutate({ projectId: project.id, changes: changesFor(option) })}
        />
      ))}
    </MenuGroup>
  );
}

/** Returns the level of a project, null if its settings are none of the levels, undefined until they are known. */
function useLevel(projectId: number) {
  const { data } = useProjectNotificationSettings();
  return data && levelOf(data.find(({ project_id }) => project_id === projectId));
}
