import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { FileEntry } from "../../../../contract/file-records.ts";
import type { Project } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/files.ts";
import { PageTitle } from "../../../parts/page-title/PageTitle.tsx";
import type { Tree } from "../../../queries/file-lists/tree.ts";
import { useFileList } from "../../../queries/file-lists/use-file-list.ts";
import { isFiltered } from "../../../queries/file-lists/wish.ts";
import type { Spot } from "../../../ui/Floating.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { placeAt } from "../model/place-memory.ts";
import { alongWith, folderPath, searchOf, shownIn, type Shown } from "../model/url-state.ts";
import { EntryMenu } from "./actions/EntryMenu.tsx";
import { FileActions } from "./actions/FileActions.tsx";
import { NewFolderRow } from "./actions/NewFolderRow.tsx";
import { FilesRoomContext, type FilesRoom } from "./files-room.ts";
import { Chips } from "./filters/Chips.tsx";
import { BACK } from "./listing/EntryName.tsx";
import { Listing } from "./listing/Listing.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { FolderTree } from "./tree/FolderTree.tsx";
import { useFocusWish } from "./use-focus-wish.ts";
import { useLayout } from "./use-layout.ts";
import { useSelection } from "./use-selection.ts";

/** Wide enough for a pane beside the list. */
const ROOMY = "(min-width: 1000px)";

interface Props {
  project: Project;
  folder: FileEntry;
  isRoot: boolean;
  tree: Tree<FileEntry>;
}

/** A folder with what is in it, the tree beside it, and what one does with both. */
export function FolderView({ project, folder, isRoot, tree }: Props) {
  const location = useLocation();
  const navigate = useNavigate();
  const layout = useLayout();
  const roomy = useMedia(ROOMY);
  const shown = useMemo(() => shownIn(new URLSearchParams(location.search)), [location.search]);
  const asked = useRef<Shown>(shown);
  useEffect(() => {
    asked.current = shown;
  }, [shown]);
  // Before what is in it is taken away: what was typed at last leads nobody back here.
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  const filtered = isFiltered(shown);
  const wish = useMemo(() => ({ ...shown, folderId: folder.id }), [shown, folder.id]);
  const list = useFileList(project.id, wish);
  const { entries } = list;
  const sought = searchOf(shown);
  // As it was when one came: from here on it is kept up to date.
  const left = useMemo(() => placeAt(location.key), [location.key]);
  const { selection, select: change } = useSelection(String(folder.id), sought, entries, left?.current ?? null);
  const { wished, focus, select } = useFocusWish(`${folder.id}${sought}`, entries, change);
  const selected = useMemo(() => (selection.ids.size === 0 ? [] : entries.filter(({ id }) => selection.ids.has(id))), [entries, selection.ids]);
  const [menu, setMenu] = useState<{ entry: FileEntry; at: Spot } | null>(null);
  const [openedHere, setOpenedHere] = useState(false);

  const path = folderPath(project.id, isRoot ? null : folder.id);
  const room: FilesRoom = {
    project,
    folder,
    tree,
    shown,
    filtered,
    show: (next, { replace = false } = {}) => {
      if (!isShown.current) return;
      asked.current = typeof next === "function" ? next(asked.current) : next;
      void navigate(`${path}${searchOf(asked.current)}`, { replace });
    },
    entries,
    hasMore: list.hasMore,
    isPending: list.isPending || list.isPrevious,
    selection,
    selected,
    select,
    open: (entry) => {
      setOpenedHere(true);
      void (entry.is_folder ? navigate(folderPath(project.id, entry.id) + alongWith(shown)) : navigate(`/files/${entry.id}`, { state: BACK }));
    },
    openMenu: (entry, at) => {
      // What is chosen from the menu is done with what is seen to be selected.
      if (!selection.ids.has(entry.id)) select((now) => ({ ...now, ids: new Set([entry.id]), anchor: entry.id, current: entry.id }));
      setMenu({ entry, at });
    },
    focus,
  };
  const name = isRoot ? t("root") : folder.name;
  return (
    <FilesRoomContext value={room}>
      <PageTitle text={t("title", { folder: name, project: project.name })} />
      <FileActions>
        <div className="flex h-full min-h-0">
          {roomy && layout.treeOpen && <FolderTree key={project.id} />}
          <section aria-label={t("listOf", { folder: name })} className="relative flex min-w-0 flex-1 flex-col">
            <Toolbar name={name} layout={layout} hasTree={roomy} />
            <Chips />
            <NewFolderRow />
            <Listing
              key={folder.id}
              list={list}
              tiles={layout.view === "tiles"}
              locationKey={location.key}
              wished={wished}
              takesFocus={openedHere || left !== undefined}
            />
          </section>
        </div>
        {menu && <EntryMenu entry={menu.entry} at={menu.at} onClose={() => setMenu(null)} />}
      </FileActions>
    </FilesRoomContext>
  );
}
