/** The header of a file's page: the way back, the path, the name with version and status, and the way to its chat. */
import { ChevronLeft, Download, Ellipsis, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { FileCommon } from "../../../contract/records.ts";
import { useServiceTime } from "../../client/client.ts";
import { Cover } from "../../components/Cover.tsx";
import { DownloadAnchor } from "../../components/DownloadAnchor.tsx";
import { t } from "../../lib/texts/review.ts";
import { formatDayTime } from "../../lib/time.ts";
import { useFileMessages } from "../../queries/files/use-file-messages.ts";
import { usePeople } from "../../queries/members.ts";
import { useProject } from "../../queries/projects.ts";
import { useHasFeature } from "../../queries/service.ts";
import { buttonClasses } from "../../ui/Button.tsx";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { useBackClick } from "./file-history.ts";
import { downloadUrl } from "./file-info.ts";

interface FileHeaderProps {
  common: FileCommon;
  coverUrl: string | undefined;
  /** Sets the page's title. */
  title: ReactNode;
  /** The path above the name, and the way to the chat, where the service has both. */
  path?: ReactNode;
  chat?: ReactNode;
  /** Beside the download. */
  actions?: ReactNode;
  /** Version and status. */
  children: ReactNode;
}

/** Returns the path of the folder that contains the file; the project's chat where the service has no folders. */
export function useFolderPath({ project_id, folders = [] }: FileCommon): string {
  const hasFiles = useHasFeature("files-view");
  if (project_id <= 0) return "/";
  if (!hasFiles) return `/projects/${project_id}/chat`;
  const folder = folders.at(-1);
  return folder ? `/projects/${project_id}/files/${folder.id}` : `/projects/${project_id}/files`;
}

/** Shows a file's path, name and status, and leads back, to its chat and to its bytes. */
export function FileHeader({ common, coverUrl, title, path, chat, actions, children }: FileHeaderProps) {
  const { name } = common;
  const url = downloadUrl(common);
  const goBack = useBackClick();
  return (
    <header className="grid min-h-14 shrink-0 grid-cols-[auto_minmax(0,1fr)_auto] content-center items-center gap-x-1 border-b border-line py-1.5 pr-3 pl-2 max-tablet:pr-1 tablet:grid-cols-[auto_minmax(0,max-content)_auto_1fr_auto] tablet:gap-x-2.5 tablet:pl-4">
      <div className="col-start-1 row-span-2 row-start-1 flex items-center tablet:gap-2">
        {title}
        <Link to={useFolderPath(common)} aria-label={t("back")} data-tooltip={t("back")} onClick={goBack} className={`${iconButtonClasses} max-tablet:size-10`}>
          <ChevronLeft size={20} aria-hidden />
        </Link>
        {coverUrl !== undefined && <Cover url={coverUrl} className="size-10" />}
      </div>
      <div className="col-start-2 row-start-1 min-w-0 tablet:col-span-3">{path}</div>
      <h1 tabIndex={-1} title={name} className="col-start-2 row-start-2 truncate text-lg font-semibold">
        <bdi>{name}</bdi>
      </h1>
      <div className="col-start-3 row-span-2 row-start-1 flex items-center tablet:col-start-5 tablet:gap-2">
        {chat}
        {actions}
        {url !== null && (
          <DownloadAnchor
            url={url}
            fileName={name}
            aria-label={t("download")}
            data-tooltip={t("download")}
            className={`${iconButtonClasses} max-tablet:size-10`}
          >
            <Download size={18} aria-hidden />
          </DownloadAnchor>
        )}
      </div>
      {/* On a phone, version and status have a line of their own, so that a status keeps its whole text. */}
      <div className="flex items-center gap-x-2.5 max-tablet:col-span-3 max-tablet:flex-wrap max-tablet:pl-10 tablet:col-start-3 tablet:row-start-2">
        {children}
      </div>
    </header>
  );
}

/** Shows the project and the folders above a file, each as a link. A menu lists folders in the middle of a long path. */
export function FilePath({ common: { project_id, folders = [] } }: { common: FileCommon }) {
  const { data: project } = useProject(project_id);
  const navigate = useNavigate();
  if (!project) return null;
  const hidden = folders.slice(0, -1);
  const parent = folders.at(-1);
  const pathTo = (folderId: number) => `/projects/${project_id}/files/${folderId}`;
  return (
    <nav aria-label={t("path")}>
      <ol className="flex min-w-0 items-center text-xs text-text-2">
        <Crumb to={`/projects/${project_id}/files`} name={project.name} isFirst />
        {hidden.length === 1 && <Crumb to={pathTo(hidden[0]!.id)} name={hidden[0]!.name} />}
        {hidden.length > 1 && (
          <li className="flex shrink-0 items-center">
            <Slash />
            <Menu
              label={t("folders")}
              trigger={<Ellipsis size={14} aria-hidden />}
              triggerClassName="flex h-6 items-center rounded-sm px-1 hover:bg-hover hover:text-text"
            >
              {hidden.map(({ id, name }) => (
                <MenuItem key={id} text={name} onSelect={() => void navigate(pathTo(id))}>
                  <bdi>{name}</bdi>
                </MenuItem>
              ))}
            </Menu>
          </li>
        )}
        {parent && <Crumb to={pathTo(parent.id)} name={parent.name} />}
      </ol>
    </nav>
  );
}

const Slash = () => (
  <span aria-hidden className="px-0.5 text-text-3">
    /
  </span>
);

function Crumb({ to, name, isFirst = false }: { to: string; name: string; isFirst?: boolean }) {
  return (
    <li className="flex min-w-8 shrink items-center">
      {!isFirst && <Slash />}
      <Link to={to} title={name} className={`${isFirst ? "-ml-1 " : ""}min-w-0 truncate rounded-sm px-1 leading-6 hover:text-text hover:underline`}>
        <bdi>{name}</bdi>
      </Link>
    </li>
  );
}

/** Leads to the message that has the file, or lets one choose if there are several; nothing if it was never sent. */
export function FileChatLink({ common: { id, project_id } }: { common: FileCommon }) {
  const messages = useFileMessages(id);
  const person = usePeople(project_id);
  const navigate = useNavigate();
  const now = useServiceTime();
  const [first] = messages;
  if (!first) return null;
  const pathTo = (messageId: number) => `/projects/${project_id}/chat/${messageId}`;
  const content = (
    <>
      <MessageSquare size={16} aria-hidden />
      <span className="max-tablet:sr-only">{t("inChat")}</span>
    </>
  );
  const classes = `${buttonClasses("ghost")} max-tablet:size-10 max-tablet:px-0`;
  if (messages.length === 1)
    return (
      <Link to={pathTo(first.message_id)} className={classes}>
        {content}
      </Link>
    );
  return (
    <Menu label={t("inChat")} trigger={content} triggerClassName={classes} align="end">
      {messages.map(({ message_id, version, account_id, datetime, excerpt }) => {
        const name = person(account_id)?.name ?? t("formerMember");
        return (
          <MenuItem key={message_id} text={`v${version} ${name}`} onSelect={() => void navigate(pathTo(message_id))}>
            <span className="flex items-baseline gap-2">
              <span className="tabular font-semibold">v{version}</span>
              <bdi className="truncate">{name}</bdi>
              <span className="text-xs text-text-2">{formatDayTime(datetime, now)}</span>
            </span>
            {excerpt !== "" && (
              <span className="line-clamp-1 text-sm text-text-2">
                {excerpt.replaceAll(/<@(\d+)>/g, (mention, mentioned: string) => (person(Number(mentioned)) ? `@${person(Number(mentioned))!.name}` : mention))}
              </span>
            )}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
