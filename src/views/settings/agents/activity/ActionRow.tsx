import {
  Building2,
  Folder,
  FolderKanban,
  FileText,
  ListChecks,
  ListMusic,
  type LucideIcon,
  MessageSquare,
  MessageSquareQuote,
  Tags,
  Undo2,
} from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router";
import type { AgentAction } from "../../../../../contract/agent-action-records.ts";
import { useServiceTime } from "../../../../client/client.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { ConfirmAction } from "../../../../components/FormDialog.tsx";
import { RowIcon } from "../../../../components/ListSection.tsx";
import { t } from "../../../../lib/texts/agent-activity.ts";
import { formatDateTime, formatDayTime } from "../../../../lib/time.ts";
import { useUndoAgentAction } from "../../../../queries/agents/agent-actions.ts";
import { useMembers } from "../../../../queries/members.ts";
import { useProject } from "../../../../queries/projects.ts";
import { announce } from "../../../../ui/announce.ts";
import { Button } from "../../../../ui/Button.tsx";
import { StateMark } from "../../../../ui/StateMark.tsx";
import { useFocusAfterRemoval } from "../../../../ui/use-focus-after-removal.ts";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  message: MessageSquare,
  comment: MessageSquareQuote,
  file: FileText,
  folder: Folder,
  task: ListChecks,
  playlist: ListMusic,
  metadata: Tags,
  project: FolderKanban,
};

/** What an undo deletes, which asks for confirmation. Other undos restore something. */
const DELETIONS: Readonly<Record<string, string>> = {
  "message.created": t("undoMessage"),
  "comment.created": t("undoComment"),
  "task.created": t("undoTask"),
  "file.created": t("undoFile"),
  "file.restored": t("undoFile"),
  "playlist.created": t("undoPlaylist"),
  "playlist.restored": t("undoPlaylist"),
};

/** Returns the path of the page that shows the target; null if no page does. */
function targetPath({ project_id: projectId, target: { type, id, file_id: fileId, deleted } }: AgentAction): string | null {
  if (deleted) return null;
  if (type === "message") return `/projects/${projectId}/chat/${id}`;
  if (type === "folder") return `/projects/${projectId}/files/${id}`;
  if (type === "playlist") return `/playlists/${id}`;
  if (type === "comment") return `/files/${fileId}?comment=${id}`;
  return fileId === null ? null : `/files/${fileId}`;
}

function describeChange({ from, to }: AgentAction): string | null {
  if (to === null) return null;
  return from === null ? t("changeTo", { to }) : t("change", { from, to });
}

export function ActionRow({ action }: { action: AgentAction }) {
  const now = useServiceTime();
  const project = useProject(action.project_id ?? 0).data;
  const undoer = useMembers().data?.find(({ id }) => id === action.undone_by_account_id)?.username;
  const undo = useUndoAgentAction(action.agent_id);
  const [isAsking, setIsAsking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const focusRow = useFocusAfterRemoval(row);
  const { text, target, created_at: createdAt } = action;
  const path = targetPath(action);
  const change = describeChange(action);
  const deletion = DELETIONS[action.action];
  const Icon = ICONS[target.type] ?? Building2;
  const start = () =>
    undo.mutate(action.id, {
      onSuccess() {
        announce(t("wasUndone", { action: text }));
        setIsAsking(false);
        focusRow();
      },
    });
  return (
    <li ref={row} tabIndex={-1} className="-mx-4 flex items-start gap-3 border-b border-line px-4 py-2.5 outline-none last:border-0">
      <RowIcon>
        <Icon size={16} aria-hidden />
      </RowIcon>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{text}</span>
          {action.undone_at !== null && <StateMark>{undoer === undefined ? t("undone") : t("undoneBy", { name: undoer })}</StateMark>}
        </p>
        {target.name !== null && (
          <p className="line-clamp-2 wrap-anywhere text-text-2">
            {path === null ? (
              <bdi>{target.name}</bdi>
            ) : (
              <Link to={path} className="text-link hover:underline">
                <bdi>{target.name}</bdi>
              </Link>
            )}
          </p>
        )}
        {change !== null && <p className="wrap-anywhere text-text-2">{change}</p>}
        <p className="text-sm wrap-anywhere text-text-3">
          <time dateTime={createdAt} title={formatDateTime(createdAt)}>
            {formatDayTime(createdAt, now)}
          </time>
          {project && ` · ${project.name}`}
          {` · ${t(action.run_id === null ? "byToken" : "inRun")}`}
        </p>
        {action.undo_denial !== null && <p className="text-sm text-text-3">{action.undo_denial}</p>}
        {!isAsking && <ErrorNotice error={undo.error} className="mt-2" />}
      </div>
      {action.can_undo && (
        <Button
          size="sm"
          icon={Undo2}
          pending={undo.isPending && !isAsking}
          aria-label={target.name === null ? t("undoLabel", { action: text }) : t("undoLabelOf", { action: text, name: target.name })}
          onClick={() => (deletion === undefined ? start() : setIsAsking(true))}
        >
          {t("undo")}
        </Button>
      )}
      {isAsking && (
        <ConfirmAction
          action={undo}
          title={t("undoTitle", { action: text })}
          description={deletion}
          confirmLabel={t("confirmUndo")}
          onConfirm={start}
          onClose={() => setIsAsking(false)}
        />
      )}
    </li>
  );
}
