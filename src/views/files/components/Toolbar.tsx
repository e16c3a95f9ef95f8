import { LayoutGrid, List, PanelLeft } from "lucide-react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/files.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/use-media.ts";
import { FolderActions } from "./actions/FolderActions.tsx";
import { SelectionBar } from "./actions/SelectionBar.tsx";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { useFilesContext } from "./files-room.ts";
import { FilterButton } from "./filters/FilterButton.tsx";
import { SearchField } from "./filters/SearchField.tsx";
import { SortMenu } from "./filters/SortMenu.tsx";
import type { Layout } from "./use-layout.ts";

interface Props {
  name: string;
  layout: Layout;
  hasTree: boolean;
}

/** Renders the breadcrumb and folder actions, with search, filter, and selection actions below. */
export function Toolbar({ name, layout, hasTree }: Props) {
  const hasSelection = useFilesContext().selection.ids.size > 0;
  const isPhone = useMediaQuery(PHONE);
  return (
    <div className="shrink-0">
      <div className="flex h-12 items-center gap-1 px-2 tablet:px-3">
        {hasTree && (
          <IconButton
            label={t(layout.treeOpen ? "hideFolders" : "showFolders")}
            aria-expanded={layout.treeOpen}
            onClick={() => layout.setTreeOpen(!layout.treeOpen)}
          >
            <PanelLeft size={18} aria-hidden />
          </IconButton>
        )}
        <Breadcrumb name={name} />
        <div className="ml-auto flex shrink-0 items-center gap-1.5 pl-2">
          <FolderActions />
        </div>
      </div>
      {hasSelection && isPhone ? (
        <SelectionBar />
      ) : (
        <div className={classes("flex h-11 items-start gap-1.5 px-3", "tablet:px-4")}>
          <SearchField name={name} />
          <FilterButton />
          {hasSelection ? <SelectionBar /> : <ListingTools layout={layout} />}
        </div>
      )}
    </div>
  );
}

/** Renders the result count, the sort menu, and the view toggle. */
function ListingTools({ layout }: Pick<Props, "layout">) {
  const { hasFilter, entries, hasMore, isPending } = useFilesContext();
  const ViewIcon = layout.view === "tiles" ? List : LayoutGrid;
  return (
    <>
      {hasFilter && !isPending && (
        <p role="status" className="tabular self-center truncate text-sm text-text-2 max-tablet:sr-only">
          {t(hasMore ? "moreResults" : "results", { count: entries.length })}
        </p>
      )}
      <div className="ml-auto flex shrink-0 gap-0.5">
        <SortMenu />
        <IconButton label={t(layout.view === "tiles" ? "listView" : "gridView")} onClick={() => layout.setView(layout.view === "tiles" ? "table" : "tiles")}>
          <ViewIcon size={18} aria-hidden />
        </IconButton>
      </div>
    </>
  );
}
