import { Folder } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Project } from "../../../contract/records.ts";
import { useClient } from "../../client/client.ts";
import { PageTitle } from "../../components/PageTitle.tsx";
import { t as tActions } from "../../lib/texts/file-actions.ts";
import { t } from "../../lib/texts/files.ts";
import type { FolderHierarchy } from "../../queries/file-lists/folder-tree.ts";
import { isFiltered } from "../../queries/file-lists/list-query.ts";
import { useFileList } from "../../queries/file-lists/file-list-queries.ts";
import { useHasFeature } from "../../queries/service.ts";
import type { AnchorRect } from "../../ui/Floating.tsx";
import { PHONE, useMediaQuery } from "../../ui/responsive.ts";
import { useUrlState } from "../../ui/router-state.ts";
import { EntryMenu, SelectionBar } from "./actions/ActionMenus.tsx";
import { FileActions } from "./actions/FileActions.tsx";
import { RenameField } from "./actions/RenameField.tsx";
import { useFileActionsContext } from "./actions-context.ts";
import { folderName } from "./entry-labels.ts";
import { FilesContext, type FilesContextValue } from "./files-context.ts";
import { FilterChips } from "./filters/FilterChips.tsx";
import { Listing } from "./list/Listing.tsx";
import { NO_FIELDS, useFieldColumns } from "./list/use-field-columns.ts";
import { Toolbar, useLayout } from "./Toolbar.tsx";
import { FolderTree } from "./tree/FolderTree.tsx";
import { entryLink, formatSortState, formatUrlState, getChips, URL_FORMATS, URL_FORMATS_WITHOUT_METADATA } from "./url-state.ts";
import { useSelection } from "./use-selection.ts";

/** Wide enough for the folder tree beside the list. */
const WIDE_QUERY = "(min-width: 1000px)";

interface Props {
  project: Project;
  folder: FileEntry;
  tree: FolderHierarchy<FileEntry>;
  /** True for the files of all folders, which are all below the root. */
  isRecent: boolean;
}

/** Renders a folder's contents with the folder tree beside them, or the files of all folders, and the file actions. */
export function FolderView({ project, folder, tree, isRecent }: Props) {
  const location = useLocation();
  const navigate = useNavigate();
  const layout = useLayout();
  const isWide = useMediaQuery(WIDE_QUERY);
  const isPhone = useMediaQuery(PHONE);
  const formats = useHasFeature("metadata") ? URL_FORMATS : URL_FORMATS_WITHOUT_METADATA;
  const [urlState, setUrlState] = useUrlState(isRecent ? formats.recent : formats.folder);
  const hasFilter = isFiltered(urlState);
  const fieldColumns = useFieldColumns(project);
  const fields = layout.view === "table" ? fieldColumns.ids : NO_FIELDS;
  const listQuery = useMemo(() => ({ ...urlState, folderId: folder.id, isFlat: isRecent, fields }), [urlState, folder.id, isRecent, fields]);
  const list = useFileList(project.id, listQuery, layout.view === "table" && fieldColumns.isLoading);
  const { entries } = list;
  // The scroll state on arrival; later updates of the stored state do not change it.
  const { fileListScroll } = useClient().viewMemory;
  const savedScroll = useMemo(() => fileListScroll.get(location.key), [fileListScroll, location.key]);
  const listingId = isRecent ? 0 : folder.id;
  const selection = useSelection(listingId, `${listingId}${formatUrlState(urlState)}`, entries);
  const { manager, keys } = selection;
  const selectedEntries = useMemo(() => (keys.size === 0 ? [] : entries.filter(({ id }) => keys.has(id))), [entries, keys]);
  const [menu, setMenu] = useState<{ entry: FileEntry; anchor: AnchorRect } | null>(null);
  const [hasOpenedEntry, setHasOpenedEntry] = useState(false);

  const context: FilesContextValue = {
    project,
    folder,
    isRecent,
    tree,
    urlState,
    hasFilter,
    setUrlState,
    fieldColumns,
    entries,
    selection,
    selectedEntries,
    open: (entry) => {
      setHasOpenedEntry(true);
      const { to, ...options } = entryLink(entry, urlState);
      void navigate(to, options);
    },
    openMenu: (entry, anchor) => {
      // The entry becomes the selection, so that menu actions apply to what looks selected.
      if (!manager.isSelected(entry.id)) {
        manager.replaceSelection(entry.id);
        manager.setFocusedKey(entry.id);
      }
      setMenu({ entry, anchor });
    },
  };
  const name = isRecent ? t("recent") : folderName(folder);
  const hasTree = isWide && !isRecent;
  return (
    <FilesContext value={context}>
      <PageTitle text={t("title", { folder: name, project: project.name })} />
      <FileActions>
        <div className="flex h-full min-h-0">
          {hasTree && layout.isTreeOpen && (
            <FolderTree key={project.id} projectId={project.id} folder={folder} tree={tree} search={formatSortState(urlState)} />
          )}
          <section
            aria-label={isRecent ? t("recentOf", { project: project.name }) : t("listOf", { folder: name })}
            className="relative flex min-w-0 flex-1 flex-col"
          >
            <Toolbar layout={layout} hasTree={hasTree} list={list} />
            {getChips(urlState).length > 0 && <FilterChips />}
            <NewFolderRow />
            <div className="relative flex min-h-0 flex-1 flex-col">
              {keys.size > 0 && !isPhone && <SelectionBar />}
              <Listing
                key={listingId}
                list={list}
                showsTiles={layout.view === "tiles"}
                locationKey={location.key}
                initialFocusId={savedScroll?.current ?? null}
                shouldTakeFocus={hasOpenedEntry || savedScroll !== undefined}
              />
            </div>
          </section>
        </div>
        {menu && <EntryMenu {...menu} onClose={() => setMenu(null)} />}
      </FileActions>
    </FilesContext>
  );
}

/** Renders the name field of a new folder above the list. */
function NewFolderRow() {
  const { nameEdit, submitName, cancelName } = useFileActionsContext();
  if (nameEdit?.entryId !== null) return null;
  return (
    <div data-keeps-list-focus className="flex min-h-11 shrink-0 items-center gap-2.5 border-b border-line bg-accent-soft px-4 tablet:pl-12">
      <Folder size={18} aria-hidden className="shrink-0 text-text-2" />
      <div className="w-full max-w-100">
        <RenameField {...nameEdit} label={tActions("newFolderName")} isFolder onSubmit={submitName} onClose={cancelName} />
      </div>
    </div>
  );
}
