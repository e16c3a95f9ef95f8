import {
  Bell,
  Bot,
  CircleCheck,
  CircleDot,
  ClipboardCheck,
  Files,
  KeyRound,
  Keyboard,
  ListMusic,
  LogOut,
  Monitor,
  Moon,
  Plus,
  Search,
  Settings,
  Sun,
  Tags,
  UserPlus,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useStore } from "../../lib/store.ts";
import { useClient } from "../../client/client.ts";
import { FileKindIcon } from "../../components/file-kind.tsx";
import { roleName } from "../../components/role-labels.ts";
import { hueOfItem } from "../../lib/hue.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { useFileSearch } from "../../queries/file-lists/file-list-queries.ts";
import { useMembers } from "../../queries/members.ts";
import { useCan } from "../../queries/permissions.ts";
import { useProjects } from "../../queries/projects.ts";
import { useGroups } from "../../queries/teams.ts";
import { useSignOut } from "../../sync/live/use-sign-out.ts";
import { useUnsentCount } from "../../sync/outbox/use-outbox.ts";
import { useUnfinishedUploadCount } from "../../sync/uploads/use-uploads.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { useOpenDialog } from "../dialogs/dialog-context.ts";
import { useOpenProjectId } from "../shell/use-open-project.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { useListedEntries } from "./use-listed-entries.tsx";
import { useSearchEntries } from "./use-search-entries.tsx";

/** Maximum number of files; the files view lists more. */
const MAX_FILES = 8;
const ICON = { size: 16, "aria-hidden": true } as const;

/** Returns everything that the palette can show, in display order. `query`: what was typed before the last pause. */
export function usePaletteEntries(query: string, typed: string): PaletteEntry[] {
  const openDialog = useOpenDialog();
  const navigate = useNavigate();
  const currentProjectId = useOpenProjectId();
  const canCreateProjects = useCan("project.create");
  const canCreateGroups = useCan("group.create");
  const canInvite = useCan("team.invite", { newRole: "member" });
  const canManageWebhooks = useCan("webhook.manage");
  const canCreatePlaylists = useCan("playlist.create");
  const canSetStatuses = useCan("file.status");
  const { theme } = useClient();
  const appliedTheme = useStore(theme.applied);
  const themePreference = useStore(theme.preference);
  const signOut = useSignOut();
  const unsent = useUnsentCount() + useUnfinishedUploadCount();
  const groups = new Map((useGroups().data ?? []).map((group) => [group.id, group.name]));
  const navigateTo = (path: string) => () => void navigate(path);

  const projects = (useProjects().data ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const projectEntries = projects.map((project): PaletteEntry => ({
    key: `project-${project.id}`,
    section: "projects",
    name: project.name,
    detail: project.archived_at ? t("archived") : groups.get(project.group_id ?? 0),
    icon: projectIcon(project),
    run: navigateTo(`/projects/${project.id}/chat`),
  }));
  const hasMetadata = useHasFeature("metadata");
  const hasDeliveryRules = useHasFeature("delivery-rules");
  const hasAgents = useHasFeature("agents");
  const hasFiles = useHasFeature("files-view");
  const hasSearch = useHasFeature("search");
  const searchEntries = useSearchEntries(query, typed);
  const hasChatSearch = useHasFeature("chat-search");
  const hasNotifications = useHasFeature("notifications");
  const hasTasks = useHasFeature("tasks");
  const hasPlaylists = useHasFeature("playlists");
  const hasTokens = useHasFeature("api-tokens");
  const hasSessions = useHasFeature("sessions");
  const currentProject = projects.find(({ id }) => id === currentProjectId);
  const fileEntries = (useFileSearch(currentProject?.root_folder_id ?? null, hasFiles && !hasSearch ? (currentProject?.id ?? null) : null, query) ?? [])
    .slice(0, MAX_FILES)
    .map((entry): PaletteEntry => ({
      key: `file-${entry.id}`,
      section: "files",
      name: entry.name,
      detail: entry.path?.replaceAll("/", " / ") || currentProject?.name,
      icon: <FileKindIcon entry={entry} />,
      run: navigateTo(entry.is_folder ? `/projects/${entry.project_id}/files/${entry.id}` : `/files/${entry.id}`),
    }));
  const people = (useMembers().data ?? [])
    .filter(({ disabled }) => !disabled)
    .toSorted((a, b) => a.username.localeCompare(b.username))
    .map((person): PaletteEntry => ({
      key: `person-${person.id}`,
      section: "people",
      name: person.username,
      detail: person.is_agent ? t("agent") : roleName(person.role),
      icon: <Avatar id={person.id} name={person.username} url={person.avatar_url} size="xs" />,
      run: navigateTo(`/settings/members?person=${person.id}`),
    }));
  const action = (key: string, name: string, icon: ReactNode, run: () => void): PaletteEntry => ({ key, section: "actions", name, icon, run });
  const actions = [
    hasFiles && currentProject !== undefined && action("files", t("openFiles"), <Files {...ICON} />, navigateTo(`/projects/${currentProject.id}/files`)),
    hasChatSearch &&
      currentProjectId !== undefined &&
      action("search-chat", t("searchChat"), <Search {...ICON} />, navigateTo(`/projects/${currentProjectId}/chat?search=`)),
    canCreateProjects && action("new-project", t("newProject"), <Plus {...ICON} />, () => openDialog({ kind: "new-project" })),
    canCreateGroups && action("new-group", t("newGroup"), <Plus {...ICON} />, () => openDialog({ kind: "new-group" })),
    canInvite && action("invite", t("invite"), <UserPlus {...ICON} />, navigateTo("/settings/members?invite=new")),
    appliedTheme === "dark" ? action("theme", t("toLight"), <Sun {...ICON} />, theme.toggle) : action("theme", t("toDark"), <Moon {...ICON} />, theme.toggle),
    themePreference !== "system" && action("system", t("followSystem"), <Monitor {...ICON} />, () => theme.set("system")),
    hasNotifications && action("notifications", t("openNotifications"), <Bell {...ICON} />, navigateTo("/notifications")),
    hasPlaylists && action("playlists", t("openPlaylists"), <ListMusic {...ICON} />, navigateTo("/playlists")),
    canCreatePlaylists && action("new-playlist", t("newPlaylist"), <Plus {...ICON} />, () => openDialog({ kind: "new-playlist" })),
    hasTasks && action("tasks", t("openTasks"), <CircleCheck {...ICON} />, navigateTo("/tasks")),
    action("settings", t("openSettings"), <Settings {...ICON} />, navigateTo("/settings/profile")),
    canManageWebhooks && action("webhooks", t("openWebhooks"), <Webhook {...ICON} />, navigateTo("/settings/webhooks")),
    canSetStatuses && action("statuses", t("openStatuses"), <CircleDot {...ICON} />, navigateTo("/settings/statuses")),
    hasMetadata && action("metadata", t("openMetadata"), <Tags {...ICON} />, navigateTo("/settings/metadata")),
    hasDeliveryRules && action("delivery-rules", t("openDeliveryRules"), <ClipboardCheck {...ICON} />, navigateTo("/settings/delivery-rules")),
    hasAgents && action("agents", t("openAgents"), <Bot {...ICON} />, navigateTo("/settings/agents")),
    hasTokens && action("tokens", t("openTokens"), <KeyRound {...ICON} />, navigateTo("/settings/tokens")),
    hasSessions && action("sessions", t("openSessions"), <Monitor {...ICON} />, navigateTo("/settings/sessions")),
    action("shortcuts", t("shortcuts"), <Keyboard {...ICON} />, () => openDialog({ kind: "shortcuts" })),
    action("sign-out", t("signOut"), <LogOut {...ICON} />, () => (unsent > 0 ? openDialog({ kind: "sign-out" }) : signOut.mutate())),
  ].filter((entry) => entry !== false);
  const openFilesEntries = (hasFiles ? projects : []).map((project): PaletteEntry => ({
    key: `files-project-${project.id}`,
    section: "actions",
    name: t("filesOf", { project: project.name }),
    detail: groups.get(project.group_id ?? 0),
    icon: projectIcon(project),
    requiresQuery: true,
    run: navigateTo(`/projects/${project.id}/files`),
  }));
  const listed = useListedEntries(typed);
  const isListed = ({ key }: PaletteEntry) => listed.some((entry) => entry.key === key);
  return [...listed, ...[...projectEntries, ...fileEntries, ...searchEntries].filter((entry) => !isListed(entry)), ...people, ...actions, ...openFilesEntries];
}

const projectIcon = (project: Pick<Project, "id" | "color">) => <span data-hue={hueOfItem(project)} className="hue-dot size-2 rounded-[2px]" />;
