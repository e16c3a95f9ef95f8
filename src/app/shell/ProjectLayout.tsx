import { ChevronLeft, Users } from "lucide-react";
import { Suspense, type Ref, useEffect, useState } from "react";
import { Link, Outlet, useMatch, useParams } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { useClient } from "../../client/client.ts";
import { HeaderActionsContainer } from "../../components/HeaderActions.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { PageTitle } from "../../components/PageTitle.tsx";
import { t } from "../../lib/texts/shell.ts";
import { ArchivedContext } from "../../queries/permissions.ts";
import { useProject, useProjectMembers } from "../../queries/projects.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useSession } from "../../queries/session.ts";
import { usePresentAccounts } from "../../sync/presence.ts";
import { Avatar, PresenceDot } from "../../components/Avatar.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { TabLink } from "../../ui/TabLink.tsx";
import { ProjectMenu } from "./projects/lazy-menus.tsx";
import { ProjectNotFound } from "../NotFound.tsx";

/** The first paint does not need it. */
const ProjectFavoriteButton = lazyPart(async () => (await import("../../components/favorites/ProjectFavoriteButton.tsx")).ProjectFavoriteButton);
const ArchivedNotice = lazyPart(async () => (await import("../../components/projects/ArchivedNotice.tsx")).ArchivedNotice);

/** Shows a project's header above its views. */
export function ProjectLayout() {
  const projectId = Number(useParams()["projectId"]);
  const { account } = useSession();
  const { data: project, isPending, isError } = useProject(projectId);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const { serviceStorage } = useClient();
  useEffect(() => {
    if (project) serviceStorage.set("last-project", String(project.id));
  }, [serviceStorage, project]);
  if (!isPending && !isError && !project) return <ProjectNotFound />;
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-14 shrink-0 items-stretch gap-1 border-b border-line pr-3 pl-2 tablet:pl-5">
        {project ? <Header project={project} actions={setActions} /> : <HeaderSkeleton />}
      </header>
      {project?.archived_at && (
        <Suspense>
          <ArchivedNotice projectId={project.id} />
        </Suspense>
      )}
      {/* The key resets all state of the previous project, and writes all times again for another time zone or format. */}
      <div key={`${projectId} ${account.time_zone} ${account.locale}`} className="min-h-0 flex-1">
        <HeaderActionsContainer value={actions}>
          <ArchivedContext value={Boolean(project?.archived_at)}>
            <Outlet />
          </ArchivedContext>
        </HeaderActionsContainer>
      </div>
    </div>
  );
}

function Header({ project, actions }: { project: Project; actions: Ref<HTMLDivElement> }) {
  const hasFiles = useHasFeature("files-view");
  const hasPlaylists = useHasFeature("playlists");
  const hasMembers = useHasFeature("members");
  const members = useProjectMembers(project.id).data;
  const presentCount = usePresentAccounts(project.id).length;
  const isOnChat = useMatch("/projects/:projectId/chat/*") !== null;
  const base = `/projects/${project.id}`;
  return (
    <>
      <PageTitle text={`${project.name} · ${t("brand")}`} />
      <Link to={isOnChat ? "/" : `${base}/chat`} aria-label={t("back")} className={`${iconButtonClasses} my-auto size-10 tablet:hidden`}>
        <ChevronLeft size={22} aria-hidden />
      </Link>
      <div className="my-auto min-w-0 shrink tablet:mr-3">
        <h1 tabIndex={-1} className="truncate text-lg font-semibold">
          {project.name}
        </h1>
        <p className="min-h-4 truncate text-xs text-text-3 tablet:hidden">
          {members && t("people", { count: members.length })}
          {presentCount > 1 && ` · ${t("presentCount", { count: presentCount })}`}
        </p>
      </div>
      <div className="hidden tablet:flex">
        <TabLink to={`${base}/chat`}>{t("chat")}</TabLink>
        {hasFiles && <TabLink to={`${base}/files`}>{t("files")}</TabLink>}
        {hasPlaylists && <TabLink to={`${base}/playlists`}>{t("playlists")}</TabLink>}
        {hasMembers && <TabLink to={`${base}/members`}>{t("members")}</TabLink>}
      </div>
      <div className="ml-auto flex shrink-0 items-center pl-1 tablet:pl-3">
        {/* On a phone, the menu has it, and the playlists. */}
        <div className="flex size-8 items-center max-tablet:hidden">
          <Suspense>
            <ProjectFavoriteButton project={project} />
          </Suspense>
        </div>
        <div ref={actions} className="flex items-center" />
        <div className="flex items-center tablet:mr-2">
          <ProjectMenu project={project} />
        </div>
        {hasMembers && (
          <Link to={`${base}/members`} aria-label={t("members")} className={`${iconButtonClasses} size-10 tablet:hidden`}>
            <Users size={20} aria-hidden />
          </Link>
        )}
        {members && <MemberAvatars projectId={project.id} members={members} />}
      </div>
    </>
  );
}

const MAX_AVATARS = 4;

/** Shows some of the project's members, those present first and with a dot. */
function MemberAvatars({ projectId, members }: { projectId: number; members: { id: number; username: string; avatar_url: string | null }[] }) {
  const present = usePresentAccounts(projectId);
  const isPresent = ({ id }: { id: number }) => present.includes(id);
  const ordered = [...members.filter(isPresent), ...members.filter((member) => !isPresent(member))];
  return (
    <Link
      to={`/projects/${projectId}/members`}
      title={ordered.map((member) => (isPresent(member) ? t("presentNow", { name: member.username }) : member.username)).join(", ")}
      className="hidden h-8 items-center rounded-full tablet:flex"
    >
      {/* Not an aria-label, because the link also shows a number that the label would not contain. */}
      <span className="sr-only">{t("people", { count: members.length })}</span>
      {ordered.slice(0, MAX_AVATARS).map((member) => (
        <span key={member.id} className="relative -ml-0.5 flex first:ml-0">
          <Avatar id={member.id} name={member.username} url={member.avatar_url} size="sm" className="ring-2 ring-surface" />
          {isPresent(member) && <PresenceDot />}
        </span>
      ))}
      {members.length > MAX_AVATARS && (
        <span aria-hidden className="ml-1.5 text-sm text-text-2">
          +{members.length - MAX_AVATARS}
        </span>
      )}
    </Link>
  );
}

function HeaderSkeleton() {
  return (
    <>
      <Skeleton className="my-auto mr-6 ml-3 h-4 w-36 tablet:ml-0" />
      <Skeleton className="my-auto mr-6 hidden h-3 w-10 tablet:block" />
      <Skeleton className="my-auto hidden h-3 w-16 tablet:block" />
    </>
  );
}
