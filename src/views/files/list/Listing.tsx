import { FolderOpen, SearchX } from "lucide-react";
import { useEffect, useRef } from "react";
import { t } from "../../../lib/texts/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { useEntryDrop } from "../actions/drag-and-drop.tsx";
import { EmptyFolderActions } from "../actions/FolderActions.tsx";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { withoutFilter } from "../url-state.ts";
import { FilesError, ListingSkeleton } from "./loading-states.tsx";
import { Table } from "./Table.tsx";
import { Tiles } from "./Tiles.tsx";
import type { ListingProps } from "./use-listing.ts";

/** Renders the folder's contents, or the loading, error, or empty state. */
export function Listing({ showsTiles, ...props }: ListingProps & { showsTiles: boolean }) {
  const isPhone = useMediaQuery(PHONE);
  const { list } = props;
  if (list.error) return <FilesError error={list.error} retry={list.retry} />;
  if (list.isPending) return <ListingSkeleton showsTiles={showsTiles} />;
  if (list.entries.length === 0 && !list.hasMore) return <EmptyListing shouldTakeFocus={props.shouldTakeFocus} />;
  return showsTiles ? <Tiles {...props} /> : <Table {...props} isPhone={isPhone} />;
}

function EmptyListing({ shouldTakeFocus }: { shouldTakeFocus: boolean }) {
  const { folder, hasFilter, setUrlState } = useFilesContext();
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shouldTakeFocus && document.activeElement === document.body) pane.current?.focus();
  }, [shouldTakeFocus]);
  const isRoot = folder.parent_id === null;
  const dropProps = useEntryDrop(pane, folder, { filesOnly: true });
  return (
    <div ref={pane} tabIndex={-1} {...dropProps} data-drop-zone className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto outline-none">
      {hasFilter ? (
        <EmptyState
          icon={<SearchX size={22} aria-hidden />}
          title={t("noResultsTitle")}
          actions={<Button onClick={() => setUrlState(withoutFilter)}>{t("clear")}</Button>}
        >
          <span role="status">{t("noResultsHelp", { folder: folderName(folder) })}</span>
        </EmptyState>
      ) : (
        <EmptyState icon={<FolderOpen size={22} aria-hidden />} title={t(isRoot ? "emptyRootTitle" : "emptyTitle")} actions={<EmptyFolderActions />}>
          {t(isRoot ? "emptyRootHelp" : "emptyHelp")}
        </EmptyState>
      )}
    </div>
  );
}
