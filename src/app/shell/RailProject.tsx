import { BellOff } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { classNames } from "../../lib/class-names.ts";
import { formatBadge, initialsOf } from "../../lib/format.ts";
import { hueOfItem } from "../../lib/hue.ts";
import { t } from "../../lib/texts/shell.ts";

/** Classes of a count in the rail. */
export const BADGE_CLASSES =
  "tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-xs font-medium narrow:absolute narrow:-top-1 narrow:-right-1 narrow:h-4 narrow:min-w-4 narrow:px-1 narrow:text-[10px] narrow:ring-2 narrow:ring-bg";

/** Shows one count: that of the mentions if there are any, else that of the unread messages. */
export function RailBadge({ unread, mentions, className }: { unread: number; mentions: number; className?: string }) {
  if (unread === 0 && mentions === 0) return null;
  const unreadText = unread > 99 ? t("unreadMany") : unread > 0 && t("unread", { count: unread });
  return (
    <>
      <span className="sr-only">{[unreadText, mentions > 0 && t("mentions", { count: mentions })].filter(Boolean).join(" ")}</span>
      <span aria-hidden className={classNames(BADGE_CLASSES, mentions > 0 ? "bg-accent text-accent-ink" : "bg-line-strong text-text", className)}>
        {mentions > 0 ? `@${formatBadge(mentions)}` : formatBadge(unread)}
      </span>
    </>
  );
}

interface Props {
  project: Project;
  isActive: boolean;
  /** A muted project counts only mentions. */
  isMuted?: boolean | undefined;
  /** Label of its tile in the narrow rail; the initials if left out. */
  tile?: string | undefined;
  /** Beside the link. */
  action?: ReactNode;
}

/** A project in the rail: a dot, its name and one count; in the narrow rail a tile. */
export function RailProject({ project, isActive, isMuted = false, tile = initialsOf(project.name), action }: Props) {
  const { id, name, mention_count: mentions = 0 } = project;
  const unread = isMuted ? 0 : project.unread_count;
  const hue = hueOfItem(project);
  return (
    <li data-menu-row className="group/row relative">
      <Link
        to={`/projects/${id}/chat`}
        aria-current={isActive ? "page" : undefined}
        data-tooltip={name}
        data-project={id}
        data-unread={unread}
        data-mentions={mentions}
        className={classNames(
          "group/item relative flex h-11 scroll-my-10 items-center gap-3.5 rounded-sm px-3 transition-colors tablet:h-8.5 narrow:mx-auto narrow:size-10 narrow:justify-center narrow:px-0",
          isActive ? "bg-raised font-medium text-text" : "hover:bg-hover",
          !isActive && (unread > 0 || mentions > 0 ? "font-semibold text-text" : isMuted ? "text-text-3" : "text-text-2"),
        )}
      >
        <span aria-hidden data-hue={hue} className={classNames("hue-dot size-2 shrink-0 rounded-[2px] narrow:hidden", isMuted && "opacity-50")} />
        <span
          aria-hidden
          data-hue={hue}
          data-tile={tile}
          className={classNames(
            "hue-avatar hidden size-7 items-center justify-center rounded-sm font-semibold before:content-[attr(data-tile)] narrow:flex",
            tile.length > 2 ? "text-[11px] tracking-tight" : "text-xs",
            isMuted && "opacity-50",
          )}
        />
        <span className="min-w-0 flex-1 truncate narrow:sr-only">{name}</span>
        {isMuted && <BellOff size={14} role="img" aria-label={t("muted")} className="shrink-0 text-text-3 narrow:hidden" />}
        <RailBadge unread={unread} mentions={mentions} className="-mr-1 narrow:mr-0" />
      </Link>
      {action}
    </li>
  );
}
