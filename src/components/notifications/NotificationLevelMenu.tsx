import { Bell, BellDot, BellOff } from "lucide-react";
import { useNavigate } from "react-router";
import type { ProjectNotificationSettings } from "../../../contract/notification-records.ts";
import { t } from "../../lib/texts/notification-level.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useProjectNotificationSettings, useUpdateProjectNotificationSettings } from "../../queries/notifications/use-settings.ts";
import { useHasFeature } from "../../queries/service.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { useToasts } from "../../ui/toast.ts";
import { allKinds, changesFor, levelOf, LEVELS, type NotificationLevel } from "./notification-level.ts";

const ICONS = { default: Bell, mentions: BellDot, custom: Bell } as const;

interface Props {
  project: { id: number; name: string };
}

/** A button that shows and changes how much of a project notifies the person. */
export function NotificationLevelMenu({ project, className = "" }: Props & { className?: string }) {
  const settings = useProjectSettings(project.id);
  const navigate = useNavigate();
  const hasNotifications = useHasFeature("notifications");
  if (!hasNotifications || !settings) return null;
  const Icon = settings.muted ? BellOff : ICONS[levelOf(settings)];
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
  const { muted, kinds } = useProjectSettings(project.id) ?? NO_SETTINGS;
  const present = levelOf({ kinds });
  const toasts = useToasts();
  const { mutate } = useUpdateProjectNotificationSettings((error) => toasts.showError(t("notSaved", { reason: formatErrorReason(error) })));
  const change = (changes: Parameters<typeof mutate>[0]["changes"]) => mutate({ projectId: project.id, changes });
  const choose = (level: NotificationLevel) => {
    change(changesFor(level, present));
    // Nothing else could bring back what was chosen kind by kind.
    if (present === "custom" && level !== "custom")
      toasts.offerUndo(t("replaced", { project: project.name }), t("undo"), () => change({ muted, kinds: allKinds(kinds) }));
  };
  return (
    <>
      <MenuGroup label={t("title")} showsLabel checked={muted ? null : present}>
        {LEVELS.filter((level) => level !== "custom" || present === "custom").map((level) => (
          <MenuItem key={level} id={level} text={t(level)} hint={t(`${level}Hint`)} onSelect={() => choose(level)} />
        ))}
      </MenuGroup>
      <MenuItem icon={muted ? <Bell size={16} aria-hidden /> : <BellOff size={16} aria-hidden />} onSelect={() => change({ muted: !muted })}>
        {t(muted ? "unmute" : "mute")}
      </MenuItem>
    </>
  );
}

type Settings = Pick<ProjectNotificationSettings, "muted" | "kinds">;

const NO_SETTINGS: Settings = { muted: false, kinds: {} };

/** Returns the notification settings of a project; undefined until they are known. */
function useProjectSettings(projectId: number): Settings | undefined {
  const { data } = useProjectNotificationSettings();
  return data && (data.find(({ project_id }) => project_id === projectId) ?? NO_SETTINGS);
}
