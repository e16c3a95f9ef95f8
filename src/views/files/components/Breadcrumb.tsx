import { ChevronRight, Ellipsis } from "lucide-react";
import { useRef } from "react";
import { Link, useNavigate } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/files.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useWidth } from "../../../ui/use-width.ts";
import { alongWith, folderPath } from "../model/url-state.ts";
import { useFilesRoom } from "./files-room.ts";

/** What one step of the way takes, about, in CSS pixels. */
const STEP = 130;

/** The way from the project's root to the folder. Where it is long its middle is in a menu. */
export function Breadcrumb({ name }: { name: string }) {
  const { project, folder, tree, shown } = useFilesRoom();
  const navigate = useNavigate();
  const box = useRef<HTMLElement>(null);
  const room = Math.max(1, Math.floor(useWidth(box) / STEP) - 1);
  const above = tree.wayTo(folder.id).slice(0, -1);
  const hidden = above.length > room ? above.slice(0, above.length - room + 1) : [];
  const seen = above.slice(hidden.length);
  const nameOf = (one: FileEntry) => (one.parent_id === null ? t("root") : one.name);
  const pathOf = (one: FileEntry) => folderPath(project.id, one.parent_id === null ? null : one.id) + alongWith(shown);
  return (
    <nav ref={box} aria-label={t("path")} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center">
        {hidden.length > 0 && (
          <li className="flex shrink-0 items-center">
            <Menu label={t("path")} trigger={<Ellipsis size={18} aria-hidden />} triggerClass={iconButtonClasses}>
              {hidden.map((one) => (
                <MenuItem key={one.id} onSelect={() => void navigate(pathOf(one))}>
                  <bdi>{nameOf(one)}</bdi>
                </MenuItem>
              ))}
            </Menu>
            <Between />
          </li>
        )}
        {seen.map((one) => (
          <li key={one.id} className="flex min-w-0 shrink items-center">
            <Link to={pathOf(one)} data-folder={one.id} className="min-w-0 truncate rounded-sm px-1.5 py-1 text-text-2 hover:bg-hover hover:text-text">
              <bdi>{nameOf(one)}</bdi>
            </Link>
            <Between />
          </li>
        ))}
        <li className={classes("min-w-0", seen.length > 0 ? "shrink-[0.2]" : "shrink")}>
          <h2 aria-current="page" title={name} className="truncate px-1.5 font-semibold">
            <bdi>{name}</bdi>
          </h2>
        </li>
      </ol>
    </nav>
  );
}

const Between = () => <ChevronRight size={14} aria-hidden className="shrink-0 text-text-3" />;
