import { FolderOpen, SearchX } from "lucide-react";
import { useEffect, useRef } from "react";
import { t } from "../../../../lib/messages/files.ts";
import { LoadError } from "../../../../parts/load-error/LoadError.tsx";
import { Button } from "../../../../ui/Button.tsx";
import { EmptyState } from "../../../../ui/EmptyState.tsx";
import { PHONE, useMediaQuery } from "../../../../ui/use-media.ts";
import { withoutFilter } from "../../model/url-state.ts";
import { EmptyFolderActions } from "../actions/FirstFiles.tsx";
import { useFilesContext } from "../files-room.ts";
import { ListingSkeleton } from "../FilesSkeleton.tsx";
import type { ListingProps } from "./listing-props.ts";
import { Table } from "./Table.tsx";
import { Tiles } from "./Tiles.tsx";

/** Renders the folder's contents, or the loading, error, or empty state. */
export function Listing({ showsTiles, ...props }: ListingProps & { showsTiles: boolean }) {
  const isPhone = useMediaQuery(PHONE);
  const { list } = props;
  if (list.error)
    return (
      <div className="mx-auto w-full max-w-160 p-5">
        <LoadError error={list.error} retry={list.retry} />
      </div>
    );
  if (list.isPending) return <ListingSkeleton tiles={showsTiles} />;
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
  return (
    <div ref={pane} tabIndex={-1} data-drop-here className="flex min-h-0 flex-1 flex-col justify-center-safe overflow-y-auto outline-none">
      {hasFilter ? (
        <EmptyState
          icon={<SearchX size={22} aria-hidden />}
          title={t("noResultsTitle")}
          actions={<Button onClick={() => setUrlState(withoutFilter)}>{t("clear")}</Button>}
        >
          <span role="status">{t("noResultsHelp", { folder: isRoot ? t("root") : folder.name })}</span>
        </EmptyState>
      ) : (
        <EmptyState icon={<FolderOpen size={22} aria-hidden />} title={t(isRoot ? "emptyRootTitle" : "emptyTitle")} actions={<EmptyFolderActions />}>
          {t(isRoot ? "emptyRootHelp" : "emptyHelp")}
        </EmptyState>
      )}
    </div>
  );
}
