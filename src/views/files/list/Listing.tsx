import { FolderOpen, SearchX } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useEntryDrop } from "../actions/drag-and-drop.tsx";
import { EmptyFolderActions } from "../actions/ActionMenus.tsx";
import { folderName } from "../entry-labels.ts";
import { useFilesContext } from "../files-context.ts";
import { withoutFilter } from "../url-state.ts";
import { Table } from "./Table.tsx";
import { Tiles } from "./Tiles.tsx";
import type { ListingProps } from "./use-listing.ts";

/** Widths of the names in the loading state. */
const SKELETON_NAMES = ["w-40", "w-56", "w-32", "w-64", "w-48", "w-36", "w-52", "w-44", "w-60", "w-40"];

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
    <div ref={pane} tabIndex={-1} {...dropProps} className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto outline-none">
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

/** Renders the loading state of the listing. */
function ListingSkeleton({ showsTiles }: { showsTiles: boolean }) {
  if (showsTiles)
    return (
      <div
        role="status"
        aria-label={t("loading")}
        className="mt-1 grid min-h-0 flex-1 grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-x-3 gap-y-3 overflow-hidden px-4"
      >
        {SKELETON_NAMES.map((_, index) => (
          <Skeleton key={index} className="h-50 rounded-md" />
        ))}
      </div>
    );
  return (
    <div role="status" aria-label={t("loading")} className="min-h-0 flex-1 overflow-hidden">
      <div className="flex h-9 items-center gap-8 border-b border-line px-11 max-tablet:hidden">
        <Skeleton className="h-3 w-16" />
      </div>
      {SKELETON_NAMES.map((width, index) => (
        <div key={index} className="flex h-16 items-center gap-2.5 border-b border-line px-4 tablet:h-11 tablet:pl-10.5">
          <Skeleton className="size-10 shrink-0 tablet:size-8" />
          <Skeleton className={`h-3 ${width}`} />
          <Skeleton className="ml-auto h-3 w-24 max-tablet:hidden" />
          <Skeleton className="ml-6 h-3 w-12 max-tablet:hidden" />
        </div>
      ))}
    </div>
  );
}

/** Renders the loading state of the whole view, for the project and its folders. */
export function FilesSkeleton() {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center px-5">
        <Skeleton className="h-4 w-32" />
      </div>
      <div className="flex h-11 shrink-0 items-start px-4">
        <Skeleton className="h-8 w-full max-w-90" />
      </div>
      <ListingSkeleton showsTiles={false} />
    </div>
  );
}

/** Shows that the view or its list failed to load. */
export const FilesError = (props: ComponentProps<typeof LoadError>) => (
  <div className="mx-auto w-full max-w-160 p-5">
    <LoadError {...props} />
  </div>
);
