import { ChevronRight, Ellipsis } from "lucide-react";
import { useRef } from "react";
import { Link, useNavigate } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/files.ts";
import { iconButtonClasses } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useWidth } from "../../../ui/use-width.ts";
import { formatSortState, folderPath } from "../model/url-state.ts";
import { useFilesContext } from "./files-room.ts";

/** Approximate width of one breadcrumb in CSS pixels. */
const STEP_WIDTH_PX = 130;

/** Renders the path from the project root to the folder. Ancestors that do not fit are in a menu. */
export function Breadcrumb({ name }: { name: string }) {
  const { project, folder, tree, urlState } = useFilesContext();
  const navigate = useNavigate();
  const container = useRef<HTMLElement>(null);
  const maxVisible = Math.max(1, Math.floor(useWidth(container) / STEP_WIDTH_PX) - 1);
  const ancestors = tree.pathTo(folder.id).slice(0, -1);
  const hiddenAncestors = ancestors.length > maxVisible ? ancestors.slice(0, ancestors.length - maxVisible + 1) : [];
  const visibleAncestors = ancestors.slice(hiddenAncestors.length);
  const nameOf = (ancestor: FileEntry) => (ancestor.parent_id === null ? t("root") : ancestor.name);
  const pathOf = (ancestor: FileEntry) => folderPath(project.id, ancestor.parent_id === null ? null : ancestor.id) + formatSortState(urlState);
  return (
    <nav ref={container} aria-label={t("path")} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center">
        {hiddenAncestors.length > 0 && (
          <li className="flex shrink-0 items-center">
            <Menu label={t("path")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses}>
              {hiddenAncestors.map((ancestor) => (
                <MenuItem key={ancestor.id} onSelect={() => void navigate(pathOf(ancestor))}>
                  <bdi>{nameOf(ancestor)}</bdi>
                </MenuItem>
              ))}
            </Menu>
            <Separator />
          </li>
        )}
        {visibleAncestors.map((ancestor) => (
          <li key={ancestor.id} className="flex min-w-0 shrink items-center">
            <Link
              to={pathOf(ancestor)}
              data-folder={ancestor.id}
              className="min-w-0 truncate rounded-sm px-1.5 py-1 text-text-2 hover:bg-hover hover:text-text"
            >
              <bdi>{nameOf(ancestor)}</bdi>
            </Link>
            <Separator />
          </li>
        ))}
        <li className={classes("min-w-0", visibleAncestors.length > 0 ? "shrink-[0.2]" : "shrink")}>
          <h2 aria-current="page" title={name} className="truncate px-1.5 font-semibold">
            <bdi>{name}</bdi>
          </h2>
        </li>
      </ol>
    </nav>
  );
}

const Separator = () => <ChevronRight size={14} aria-hidden className="shrink-0 text-text-3" />;
