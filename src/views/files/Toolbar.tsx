import { ArrowDownWideNarrow, ArrowUpNarrowWide, ChevronRight, Ellipsis, LayoutGrid, List, PanelLeft, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { listDeletedFiles } from "../../../contract/operations/files-view.ts";
import { useClient } from "../../client/client.ts";
import { classNames } from "../../lib/class-names.ts";
import { getPersisted, setPersisted } from "../../lib/local-storage.ts";
import { t } from "../../lib/texts/files.ts";
import type { useFileList } from "../../queries/file-lists/file-list-queries.ts";
import { defaultSortOrder } from "../../queries/file-lists/list-query.ts";
import { IconButton, iconButtonClasses } from "../../ui/IconButton.tsx";
import { Menu, MenuGroup, MenuItem, MenuSeparator } from "../../ui/Menu.tsx";
import { PHONE, useMediaQuery, useWidth } from "../../ui/responsive.ts";
import { useEntryDrop } from "./actions/drag-and-drop.tsx";
import { FolderActions, SelectionBar } from "./actions/ActionMenus.tsx";
import { MetadataFilesMenu } from "./actions/MetadataFilesMenu.tsx";
import { folderName } from "./entry-labels.ts";
import { useFilesContext } from "./files-context.ts";
import { FilterButton } from "./filters/FilterButton.tsx";
import { SearchField } from "./filters/SearchField.tsx";
import { ColumnsButton } from "./list/ColumnsButton.tsx";
import { deletedFilesPath, folderPath, formatSortState, recentPath } from "./url-state.ts";

/** Approximate width of one breadcrumb in CSS pixels. */
const BREADCRUMB_WIDTH_PX = 130;

interface Props {
  layout: ReturnType<typeof useLayout>;
  hasTree: boolean;
  list: ReturnType<typeof useFileList>;
}

/** Renders both views as tabs, the breadcrumb and folder actions, with search and filter below, on a phone also the selection actions. */
export function Toolbar({ layout, hasTree, list }: Props) {
  const { selection, isRecent, folder } = useFilesContext();
  const isPhone = useMediaQuery(PHONE);
  const breadcrumb = isRecent ? <h2 className="sr-only">{t("recent")}</h2> : <Breadcrumb />;
  return (
    <div className="shrink-0">
      <div className="flex h-12 items-center gap-1 px-2 tablet:px-3">
        <ViewTabs />
        {hasTree && (
          <IconButton
            icon={PanelLeft}
            label={t(layout.isTreeOpen ? "hideFolders" : "showFolders")}
            aria-expanded={layout.isTreeOpen}
            onClick={() => layout.setIsTreeOpen(!layout.isTreeOpen)}
            className="ml-2"
          />
        )}
        {!isPhone && breadcrumb}
        <div className="ml-auto flex shrink-0 items-center gap-1.5 pl-2">
          <FolderActions />
        </div>
      </div>
      {isPhone && <div className={classNames("px-2", folder.parent_id === null ? "sr-only" : "flex h-9 items-start")}>{breadcrumb}</div>}
      {selection.keys.size > 0 && isPhone ? (
        <SelectionBar />
      ) : (
        <div className="flex h-11 items-start gap-1.5 px-3 tablet:px-4">
          <SearchField />
          <FilterButton />
          <ListingTools layout={layout} list={list} hasDeletedLink={!hasTree || !layout.isTreeOpen} />
        </div>
      )}
    </div>
  );
}

/** Stores which tab the person chose last. */
export const FILES_TAB_SETTING = "files-tab";

/** Switches between the newest files and the folders. */
function ViewTabs() {
  const { project, isRecent } = useFilesContext();
  const tab = (isActive: boolean) =>
    classNames(
      "inline-flex h-7 items-center rounded-sm px-2.5 text-sm",
      isActive ? "bg-raised font-semibold text-text shadow-sm" : "text-text-2 hover:text-text",
    );
  return (
    <nav aria-label={t("views")} className="flex shrink-0 rounded-md border border-line bg-bg p-px">
      <Link
        to={recentPath(project.id)}
        onClick={() => setPersisted(FILES_TAB_SETTING, null)}
        aria-current={isRecent ? "page" : undefined}
        className={tab(isRecent)}
      >
        {t("recent")}
      </Link>
      <Link
        to={folderPath(project.id, null)}
        onClick={() => setPersisted(FILES_TAB_SETTING, "folders")}
        aria-current={isRecent ? undefined : "page"}
        className={tab(!isRecent)}
      >
        {t("folders")}
      </Link>
    </nav>
  );
}

/** Renders the result count, the sort menu, and the view toggle. */
function ListingTools({ layout, list, hasDeletedLink }: Pick<Props, "layout" | "list"> & { hasDeletedLink: boolean }) {
  const { hasFilter, entries } = useFilesContext();
  const ViewIcon = layout.view === "tiles" ? List : LayoutGrid;
  return (
    <>
      {hasFilter && !list.isPending && !list.isPrevious && (
        <p role="status" className="tabular truncate text-sm leading-8 text-text-2 max-tablet:sr-only">
          {t(list.hasMore ? "moreResults" : "results", { count: entries.length })}
        </p>
      )}
      <div className="ml-auto flex shrink-0 gap-0.5">
        {hasDeletedLink && <DeletedFilesLink />}
        {layout.view === "table" && <ColumnsButton />}
        <SortMenu />
        <MetadataFilesMenu />
        <IconButton
          icon={ViewIcon}
          label={t(layout.view === "tiles" ? "listView" : "gridView")}
          onClick={() => layout.setView(layout.view === "tiles" ? "table" : "tiles")}
        />
      </div>
    </>
  );
}

/** Opens the deleted files, where the folder tree with its link is not shown. An icon alone would look like "Delete", so only phones have no text. */
function DeletedFilesLink() {
  const { project } = useFilesContext();
  if (!useClient().api.offers(listDeletedFiles)) return null;
  return (
    <Link
      to={deletedFilesPath(project.id)}
      className="inline-flex h-8 items-center gap-2 rounded-md px-2 text-sm text-text-2 hover:bg-hover hover:text-text max-tablet:w-8 max-tablet:justify-center max-tablet:px-0"
    >
      <Trash2 size={15} aria-hidden className="max-tablet:size-4.5" />
      <span className="max-tablet:sr-only">{t("recentlyDeleted")}</span>
    </Link>
  );
}

/** Renders the path from the project root to the folder. A menu lists the ancestors that do not fit. */
function Breadcrumb() {
  const { project, folder, tree, urlState } = useFilesContext();
  const name = folderName(folder);
  const navigate = useNavigate();
  const container = useRef<HTMLElement>(null);
  const maxVisible = Math.max(1, Math.floor(useWidth(container) / BREADCRUMB_WIDTH_PX) - 1);
  const ancestors = tree.pathTo(folder.id).slice(0, -1);
  const hiddenAncestors = ancestors.length > maxVisible ? ancestors.slice(0, ancestors.length - maxVisible + 1) : [];
  const visibleAncestors = ancestors.slice(hiddenAncestors.length);
  const pathOf = (ancestor: FileEntry) => folderPath(project.id, ancestor.parent_id === null ? null : ancestor.id) + formatSortState(urlState);
  return (
    <nav ref={container} aria-label={t("path")} className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center">
        {hiddenAncestors.length > 0 && (
          <li className="flex shrink-0 items-center">
            <Menu label={t("path")} trigger={<Ellipsis size={18} aria-hidden />} triggerClassName={iconButtonClasses}>
              {hiddenAncestors.map((ancestor) => (
                <MenuItem key={ancestor.id} text={folderName(ancestor)} onSelect={() => void navigate(pathOf(ancestor))}>
                  <bdi>{folderName(ancestor)}</bdi>
                </MenuItem>
              ))}
            </Menu>
            <Separator />
          </li>
        )}
        {visibleAncestors.map((ancestor) => (
          <li key={ancestor.id} className="flex min-w-0 shrink items-center">
            <Crumb folder={ancestor} to={pathOf(ancestor)} />
            <Separator />
          </li>
        ))}
        <li className={classNames("min-w-0", visibleAncestors.length > 0 ? "shrink-[0.2]" : "shrink")}>
          <h2 aria-current="page" title={name} className="truncate px-1.5 font-semibold">
            <bdi>{name}</bdi>
          </h2>
        </li>
      </ol>
    </nav>
  );
}

function Crumb({ folder, to }: { folder: FileEntry; to: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const dropProps = useEntryDrop(link, folder);
  return (
    <Link ref={link} to={to} {...dropProps} className="min-w-0 truncate rounded-sm px-1.5 py-1 text-text-2 hover:bg-hover hover:text-text">
      <bdi>{folderName(folder)}</bdi>
    </Link>
  );
}

const Separator = () => <ChevronRight size={14} aria-hidden className="shrink-0 text-text-3" />;

/** Selects the sort order, also by fields without a column and in layouts without column headers. */
function SortMenu() {
  const { urlState, setUrlState, fieldColumns } = useFilesContext();
  const Icon = urlState.order === "asc" ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <Menu label={t("sort")} trigger={<Icon size={18} aria-hidden />} triggerClassName={iconButtonClasses} align="end">
      <MenuGroup label={t("sort")} checked={urlState.sortField === null ? urlState.sort : `field-${urlState.sortField}`}>
        {FILE_SORTS.map((sort) => (
          <MenuItem key={sort} id={sort} onSelect={() => setUrlState((current) => ({ ...current, sort, sortField: null, order: defaultSortOrder(sort) }))}>
            {t(sort === "bpm" ? "sortTempo" : sort)}
          </MenuItem>
        ))}
        {fieldColumns.shown.map(({ id, name }) => (
          <MenuItem key={`field-${id}`} id={`field-${id}`} text={name} onSelect={() => setUrlState((current) => ({ ...current, sortField: id, order: "asc" }))}>
            <bdi>{name}</bdi>
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuGroup label={t("sort")} checked={urlState.order}>
        {(["asc", "desc"] as const).map((order) => (
          <MenuItem key={order} id={order} onSelect={() => setUrlState((current) => ({ ...current, order }))}>
            {t(order === "asc" ? "ascending" : "descending")}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}

/** Returns the layout settings, which this browser stores, and their setters. */
export function useLayout() {
  const [view, setView] = useState(() => (getPersisted("files-view") === "tiles" ? "tiles" : "table"));
  const [isTreeOpen, setIsTreeOpen] = useState(() => getPersisted("files-tree") !== "closed");
  return {
    view,
    setView(next: "table" | "tiles") {
      setView(next);
      setPersisted("files-view", next);
    },
    isTreeOpen,
    setIsTreeOpen(isOpen: boolean) {
      setIsTreeOpen(isOpen);
      setPersisted("files-tree", isOpen ? null : "closed");
    },
  };
}
