import { CircleCheck, CircleDot, Files, KeyRound, Keyboard, LogOut, Monitor, Moon, Plus, Search, Settings, Sun, UserPlus, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { useMatch, useNavigate } from "react-router";
import { hueOf } from "../../lib/hue.ts";
import { t } from "../../lib/messages/dialogs.ts";
import { FileKindIcon } from "../../parts/files/FileKindIcon.tsx";
import { roleName } from "../../parts/people/role-words.ts";
import { useFoundFiles } from "../../queries/file-lists/use-found-files.ts";
import { useGroups } from "../../queries/groups/use-groups.ts";
import { useMembers } from "../../queries/members/use-members.ts";
import { useProjects } from "../../queries/projects/use-projects.ts";
import { useUnsentCount } from "../../queries/outbox/use-outbox.ts";
import { useUnfinishedCount } from "../../queries/uploads/use-file-uploads.ts";
import { useRights } from "../../queries/session/use-rights.ts";
import { useSignOut } from "../../queries/session/use-sign-out.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { setTheme, toggleTheme, useTheme, useThemeChoice } from "../../ui/theme.ts";
import { openDialog } from "../dialogs/dialog-store.ts";

export interface Entry {
  key: string;
  section: "projects" | "files" | "people" | "actions";
  name: string;
  /** Shown at the end, and found too. */
  also?: string;
  picture: ReactNode;
  /** Shown only to who types: there are as many as projects. */
  typed?: true;
  run(): void;
}

/** More than a glance takes in are for the files view. */
const MOST_FILES = 8;
const ICON = { size: 16, "aria-hidden": true } as const;

/** Everything that the palette finds for what was typed, in its order. */
export function useEntries(query: string): Entry[] {
  const navigate = useNavigate();
  const current = useMatch("/projects/:projectId/*")?.params.projectId;
  const rights = useRights();
  const theme = useTheme();
  const choice = useThemeChoice();
  const signOut = useSignOut();
  const unsent = useUnsentCount() + useUnfinishedCount();
  const groups = new Map((useGroups().data ?? []).map((group) => [group.id, group.name]));
  const go = (path: string) => () => void navigate(path);

  const projects = (useProjects().data ?? [])
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((project): Entry => ({
      key: `project-${project.id}`,
      section: "projects",
      name: project.name,
      also: groups.get(project.group_id ?? 0),
      picture: <span data-hue={hueOf(project.id)} className="hue-dot size-2 rounded-[2px]" />,
      run: go(`/projects/${project.id}/chat`),
    }));
  const here = (useProjects().data ?? []).find(({ id }) => id === Number(current));
  const found = (useFoundFiles(here?.root_folder_id ?? null, here?.id ?? null, query) ?? []).slice(0, MOST_FILES).map((entry): Entry => ({
    key: `file-${entry.id}`,
    section: "files",
    name: entry.name,
    also: entry.path?.replaceAll("/", " / ") || here?.name,
    picture: <FileKindIcon entry={entry} />,
    run: go(entry.is_folder ? `/projects/${entry.project_id}/files/${entry.id}` : `/files/${entry.id}`),
  }));
  const people = (useMembers().data ?? [])
    .filter(({ disabled }) => !disabled)
    .toSorted((a, b) => a.username.localeCompare(b.username))
    .map((person): Entry => ({
      key: `person-${person.id}`,
      section: "people",
      name: person.username,
      also: roleName(person.role),
      picture: <Avatar id={person.id} name={person.username} url={person.avatar_url} size="xs" />,
      run: go(`/settings/members?person=${person.id}`),
    }));
  const action = (key: string, name: string, picture: ReactNode, run: () => void): Entry => ({ key, section: "actions", name, picture, run });
  const actions = [
    here !== undefined && action("files", t("openFiles"), <Files {...ICON} />, go(`/projects/${here.id}/files`)),
    current !== undefined && action("search-chat", t("searchChat"), <Search {...ICON} />, go(`/projects/${current}/chat?search=`)),
    rights.createsProjects && action("new-project", t("newProject"), <Plus {...ICON} />, () => openDialog({ kind: "new-project" })),
    rights.createsGroups && action("new-group", t("newGroup"), <Plus {...ICON} />, () => openDialog({ kind: "new-group" })),
    rights.invites && action("invite", t("invite"), <UserPlus {...ICON} />, go("/settings/members?invite=new")),
    theme === "dark" ? action("theme", t("toLight"), <Sun {...ICON} />, toggleTheme) : action("theme", t("toDark"), <Moon {...ICON} />, toggleTheme),
    choice !== "system" && action("system", t("followSystem"), <Monitor {...ICON} />, () => setTheme("system")),
    action("tasks", t("openTasks"), <CircleCheck {...ICON} />, go("/tasks")),
    action("settings", t("openSettings"), <Settings {...ICON} />, go("/settings/profile")),
    rights.managesWebhooks && action("webhooks", t("openWebhooks"), <Webhook {...ICON} />, go("/settings/webhooks")),
    rights.setsStatuses && action("statuses", t("openStatuses"), <CircleDot {...ICON} />, go("/settings/statuses")),
    action("tokens", t("openTokens"), <KeyRound {...ICON} />, go("/settings/tokens")),
    action("sessions", t("openSessions"), <Monitor {...ICON} />, go("/settings/sessions")),
    action("shortcuts", t("shortcuts"), <Keyboard {...ICON} />, () => openDialog({ kind: "shortcuts" })),
    action("sign-out", t("signOut"), <LogOut {...ICON} />, () => (unsent > 0 ? openDialog({ kind: "sign-out" }) : signOut.mutate())),
  ].filter((one) => one !== false);
  const filesOf = projects.map(({ key, name, also, picture }): Entry => ({
    key: `files-${key}`,
    section: "actions",
    name: t("filesOf", { project: name }),
    also,
    picture,
    typed: true,
    run: go(`/projects/${key.slice("project-".length)}/files`),
  }));
  return [...projects, ...found, ...people, ...actions, ...filesOf];
}
