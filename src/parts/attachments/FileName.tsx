import { Download } from "lucide-react";
import { Link } from "react-router";
import type { Attachment, FileStatus } from "../../../contract/records.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/attachments.ts";
import { iconButtonClasses } from "../../ui/IconButton.tsx";
import { StatusBadge } from "../status/StatusBadge.tsx";

interface Props {
  attachment: Attachment;
  className?: string;
}

/** Shows the name as a link to the file's page, with version and flags. */
export function FileName({ attachment, className }: Props) {
  const { id, name, version = 1 } = attachment;
  return (
    <span className={classes("flex min-w-0 items-center gap-2", className)}>
      <Link to={`/files/${id}`} title={name} className="min-w-0 truncate rounded-sm font-semibold hover:underline">
        <bdi>{name}</bdi>
      </Link>
      {version > 1 && <Chip>{t("version", { version: String(version) })}</Chip>}
      {attachment.is_shared && <Chip>{t("shared")}</Chip>}
      {attachment.is_blind_drop && <Chip>{t("blindDrop")}</Chip>}
      {attachment.has_unread_comments && (
        <span role="img" aria-label={t("unreadComments")} title={t("unreadComments")} className="size-2 shrink-0 rounded-full bg-accent" />
      )}
    </span>
  );
}

/** Shows the file's status beside its name, or nothing without one. */
export function AttachedStatus({ status, className = "max-w-1/2 shrink-0" }: { status: FileStatus | null | undefined; className?: string }) {
  if (!status) return null;
  return (
    <span className={classes("flex", className)}>
      <StatusBadge status={status} />
    </span>
  );
}

function Chip({ children }: { children: string }) {
  return <span className="shrink-0 rounded-sm bg-raised px-1.5 py-0.5 text-xs text-text-2">{children}</span>;
}

export function DownloadLink({ attachment: { name, url }, className }: Props) {
  return (
    <a href={url} download={name} aria-label={t("download", { name })} title={t("download", { name })} className={classes(iconButtonClasses, className)}>
      <Download size={16} aria-hidden />
    </a>
  );
}
