import { Check, CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { MetadataField } from "../../../../contract/metadata-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { formatFieldValue } from "../../../components/metadata/field-values.ts";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { StatusMenu } from "../../../components/status/StatusMenu.tsx";
import { UnsureMark } from "../../../components/UnsureMark.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { formatBpm, formatKey, formatPosition, formatSize } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/files.ts";
import { daysAgo, formatDateTime, formatShortDay, formatTime } from "../../../lib/time.ts";
import { useProcessingPercent, useProgress } from "../../../queries/files/cache-updates.ts";
import { hasFailed, isProcessing } from "../../../queries/files/file-updates.ts";
import { type Person, usePeople } from "../../../queries/members.ts";
import { usePendingStatusChange } from "../../../sync/statuses/use-pending-statuses.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { formatItemCount } from "../entry-labels.ts";
import { folderPath } from "../url-state.ts";
import { useFilesContext } from "../files-context.ts";
import type { Column } from "./columns.ts";
import { ownPress } from "./entry-controls.tsx";

interface CellProps {
  column: Column;
  entry: FileEntry;
  uploader: Person | undefined;
  /** The folder of the file, in Recent. */
  path: string | null;
  tabIndex: 0 | -1;
}

/** Renders one column of a row. */
export function Cell({ column, ...cell }: CellProps) {
  return (
    <span role="gridcell" className={classNames("tabular flex min-w-0 items-center px-2 text-sm text-text-2", column.alignEnd && "justify-end text-right")}>
      {cellContent(column, cell)}
    </span>
  );
}

function cellContent({ name, field, showsName }: Column, { entry, uploader, path, tabIndex }: Omit<CellProps, "column">): ReactNode {
  switch (name) {
    case "folder":
      return <FolderLink entry={entry} path={path} tabIndex={tabIndex} />;
    case "status":
      return entry.is_folder ? null : <StatusCell entry={entry} tabIndex={tabIndex} />;
    case "duration":
      return entry.duration > 0 ? formatPosition(entry.duration) : null;
    case "bpm":
      return isProcessing(entry.transcoding_status) ? (
        <ProcessingProgress entry={entry} />
      ) : (
        <span className="truncate">
          <AudioFacts entry={entry} />
        </span>
      );
    case "size":
      return entry.is_folder ? <ItemCount entry={entry} /> : <span className="truncate">{formatSize(entry.size)}</span>;
    case "uploader":
      return <UploaderAvatar entry={entry} uploader={uploader} showsName={showsName} />;
    case "changed":
      return <ChangedAt entry={entry} />;
    case "field":
      return field && <FieldValue entry={entry} field={field} />;
    default:
      return null;
  }
}

interface UploaderAvatarProps {
  entry: FileEntry;
  uploader: Person | undefined;
  showsName?: boolean | undefined;
}

/** Shows who uploaded the file, with the name where there is room, otherwise as a tooltip and for screen readers. */
export function UploaderAvatar({ entry, uploader, showsName = false }: UploaderAvatarProps) {
  const name = uploader?.name ?? t("formerMember");
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={showsName ? name : t("uploadedBy", { name })}>
      <Avatar id={entry.account_id} name={name} url={uploader?.avatarUrl} size="sm" />
      <span className={showsName ? "truncate" : "sr-only"}>{showsName ? name : t("uploadedBy", { name })}</span>
      {showsName && <AgentBadge accountId={entry.account_id} />}
    </span>
  );
}

/** Leads to the folder of a file. */
function FolderLink({ entry, path, tabIndex }: Pick<CellProps, "entry" | "path" | "tabIndex">) {
  const isInRoot = entry.parent_id === useFilesContext().folder.id;
  return (
    <Link
      {...ownPress}
      to={folderPath(entry.project_id, isInRoot ? null : entry.parent_id)}
      tabIndex={tabIndex}
      draggable={false}
      title={path ?? undefined}
      className="min-w-0 truncate rounded-sm hover:text-text hover:underline focus-visible:outline-offset-0"
    >
      <bdi>{path}</bdi>
    </Link>
  );
}

/** Renders the value of a metadata field; a checked box as its mark. */
function FieldValue({ entry, field }: { entry: FileEntry; field: MetadataField }) {
  const personOf = usePeople(entry.project_id);
  const text = formatFieldValue(field, entry.metadata?.[field.id], (id) => personOf(id)?.name);
  if (text === null) return null;
  if (field.type === "checkbox") return <Check role="img" aria-label={text} size={16} className="text-text" />;
  return (
    <bdi title={text} className="truncate">
      {text}
    </bdi>
  );
}

/** Renders the status badge and its menu. Without a status, they show only on hover or focus, but a pending status change is always visible. */
function StatusCell({ entry, tabIndex }: { entry: FileEntry; tabIndex: 0 | -1 }) {
  const isStatusVisible = usePendingStatusChange(entry.id) !== undefined || entry.status !== null;
  return (
    <span
      {...ownPress}
      className={classNames(
        "-ml-2 flex min-w-0",
        isStatusVisible ? "pointer-fine:[&_svg]:hidden" : "pointer-fine:opacity-0",
        "group-focus-within/row:opacity-100! group-hover/row:opacity-100! group-focus-within/row:[&_svg]:block! group-hover/row:[&_svg]:block!",
      )}
    >
      <StatusMenu fileId={entry.id} teamId={entry.team_id} fileName={entry.name} status={entry.status} tabIndex={tabIndex} isNarrow />
    </span>
  );
}

/** Shows the number of items in a folder. Prefers the project's folder tree, because the count in the entry itself can be outdated. */
export function ItemCount({ entry }: { entry: FileEntry }) {
  const count = useFilesContext().tree.get(entry.id)?.item_count ?? entry.item_count;
  return count === undefined ? null : <span className="truncate">{formatItemCount(count)}</span>;
}

function ChangedAt({ entry }: { entry: FileEntry }) {
  const changed_at = useChangedAt(entry);
  return (
    <time dateTime={changed_at} title={formatDateTime(changed_at)} className="truncate">
      {formatShortTime(changed_at, useServiceTime())}
    </time>
  );
}

/** Returns when the newest version was uploaded. For a folder, the tree is newer than the entry in the list. */
const useChangedAt = (entry: FileEntry): string => useFilesContext().tree.get(entry.id)?.changed_at ?? entry.changed_at;

/** Renders the second line of a row on a phone: the main facts, truncated if they do not fit. */
export function PhoneFacts({ entry, path }: { entry: FileEntry; path: string | null }) {
  const now = useServiceTime();
  const { isRecent } = useFilesContext();
  const time = formatShortTime(useChangedAt(entry), now);
  const duration = entry.duration > 0 ? [formatPosition(entry.duration)] : [];
  const size = entry.is_folder ? [] : [formatSize(entry.size)];
  // In Recent, time and folder come first, because the end is cut off.
  const facts = isRecent ? { before: [time], after: [] } : { before: duration, after: [...size, time] };
  return (
    <span className="tabular mt-0.5 flex h-5 min-w-0 items-center gap-2 text-xs text-text-2">
      {entry.status && <StatusBadge status={entry.status} className="h-5! max-w-2/5 shrink-0 px-2!" />}
      {entry.is_folder ? <ItemCount entry={entry} /> : null}
      {isProcessing(entry.transcoding_status) && <ProcessingProgress entry={entry} />}
      <span className="truncate">
        {isRecent && path && <bdi>{path} · </bdi>}
        <AudioFacts entry={entry} {...facts} />
        {!isRecent && path && <bdi> · {path}</bdi>}
      </span>
    </span>
  );
}

/** Formats a time as "14:02" if today, and as "17 Nov" otherwise. */
const formatShortTime = (at: string, now: number): string => (daysAgo(at, now) === 0 ? formatTime(at) : formatShortDay(at, now));

/** Returns tempo and key, such as "128 bpm" and "A minor". Unknown values are omitted. */
const formatAudioFacts = ({ bpm, key }: FileEntry): string[] =>
  [bpm > 0 ? t("bpmOf", { bpm: formatBpm(bpm) }) : null, key === null ? null : formatKey(key)].filter((fact) => fact !== null);

export const hasAudioFacts = (entry: FileEntry): boolean => formatAudioFacts(entry).length > 0 || entry.unsure_key !== undefined;

/** Shows facts in one line, among them tempo and key; an unsure key is pale, with a question mark. */
export function AudioFacts({ entry, before = [], after = [] }: { entry: FileEntry; before?: readonly string[]; after?: readonly string[] }) {
  const { unsure_key: unsureKey } = entry;
  const known = [...before, ...formatAudioFacts(entry)];
  if (unsureKey === undefined) return [...known, ...after].join(" · ");
  return (
    <>
      {known.map((fact) => `${fact} · `)}
      <span className="text-text-3">
        {formatKey(unsureKey)}
        <UnsureMark />
      </span>
      {after.map((fact) => ` · ${fact}`)}
    </>
  );
}

/** Shows that processing failed, with the reason. Renders nothing otherwise. */
export function FailureIcon({ entry }: { entry: FileEntry }) {
  if (!hasFailed(entry.transcoding_status)) return null;
  const reason = entry.failure ?? t("failed");
  return (
    <span role="img" aria-label={reason} title={reason} className="shrink-0 text-danger">
      <CircleAlert size={15} aria-hidden />
    </span>
  );
}

/** Shows the processing progress as text. */
export function ProcessingProgress({ entry }: { entry: FileEntry }) {
  const percent = useProcessingPercent(entry.id, entry.version);
  const text = percent === undefined ? t(entry.transcoding_status === "waiting" ? "waiting" : "processing") : t("percent", { percent });
  return <span className="tabular truncate">{text}</span>;
}

/** Shows the processing progress as a line at the row's lower edge. */
export function ProgressLine({ entry }: { entry: FileEntry }) {
  return isProcessing(entry.transcoding_status) && <ProgressBar entry={entry} />;
}

function ProgressBar({ entry }: { entry: FileEntry }) {
  const progress = useProgress(entry.id, entry.version);
  if (progress === undefined) return null;
  return (
    <span
      role="progressbar"
      aria-label={t("processingName", { name: entry.name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(progress * 100)}
      className="absolute inset-x-0 bottom-0 h-0.5"
    >
      <span className="block h-full bg-accent transition-[width]" style={{ width: `${progress * 100}%` }} />
    </span>
  );
}
