import { Link } from "react-router";
import type { Project } from "../../../contract/records.ts";
import { classes } from "../../lib/classes.ts";
import { hueOf } from "../../lib/hue.ts";
import { initialsOf } from "../../lib/initials.ts";
import { t } from "../../lib/messages/shell.ts";
import { formatBadge } from "../../lib/numbers.ts";

const BADGE =
  "tabular inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-xs font-medium narrow:absolute narrow:h-4 narrow:min-w-4 narrow:px-1 narrow:text-[10px]";

/** A project in the rail: a dot, its name and unread counts; in the narrow rail a tile with its initials. */
export function RailProject({ project, active }: { project: Project; active: boolean }) {
  const { unread_count: unread, mention_count: mentions = 0 } = project;
  return (
    <li>
      <Link
        to={`/projects/${project.id}/chat`}
        aria-current={active ? "page" : undefined}
        title={project.name}
        className={classes(
          "group/item relative flex h-11 items-center gap-3.5 rounded-sm px-3 transition-colors tablet:h-8.5 narrow:mx-auto narrow:size-10 narrow:justify-center narrow:px-0",
          active ? "bg-raised font-medium text-text" : "hover:bg-hover",
          !active && (unread > 0 ? "font-semibold text-text" : "text-text-2"),
        )}
      >
        <span aria-hidden data-hue={hueOf(project.id)} className="hue-dot size-2 shrink-0 rounded-[2px] narrow:hidden" />
        <span
          aria-hidden
          data-hue={hueOf(project.id)}
          data-initials={initialsOf(project.name)}
          className="hue-avatar hidden size-7 items-center justify-center rounded-sm text-xs font-semibold before:content-[attr(data-initials)] narrow:flex"
        />
        <span className="min-w-0 flex-1 truncate narrow:sr-only">{project.name}</span>
        {unread > 0 && (
          <>
            <span className="sr-only">
              {unread > 99 ? t("unreadMany") : t("unread", { count: unread })}
              {mentions > 0 && ` ${t("mentions", { count: mentions })}`}
            </span>
            {mentions > 0 && (
              <span aria-hidden className={classes(BADGE, "-mr-2 bg-accent text-accent-ink narrow:-bottom-1 narrow:-right-1 narrow:mr-0")}>
                @{formatBadge(mentions)}
              </span>
            )}
            <span
              aria-hidden
              className={classes(BADGE, "narrow:-top-1 narrow:-right-1 narrow:bg-accent narrow:text-accent-ink", active ? "bg-hover" : "bg-raised")}
            >
              {formatBadge(unread)}
            </span>
          </>
        )}
      </Link>
    </li>
  );
}
