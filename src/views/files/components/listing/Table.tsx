import { useMemo, useRef } from "react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { usePeople } from "../../../../queries/members/use-people.ts";
import { useWidth } from "../../../../ui/use-width.ts";
import { columnsFor, gridTemplate } from "../../model/columns.ts";
import { useFilesContext } from "../files-room.ts";
import { EntryRow, SkeletonRow } from "./EntryRow.tsx";
import type { ListingProps } from "./listing-props.ts";
import { LoadMoreError } from "./MoreFailed.tsx";
import { TableHeader } from "./TableHead.tsx";
import { useGrid } from "./use-grid.ts";
import { useEntryPath } from "./use-path-of.ts";

export const ROW_HEIGHT = 44;
export const PHONE_ROW_HEIGHT = 64;
const HEADER_HEIGHT = 36;

/** Renders the listing as rows. On a phone, each row has two lines and no columns. */
export function Table({ isPhone, ...props }: ListingProps & { isPhone: boolean }) {
  const { project, folder, urlState, setUrlState, hasFilter, selection } = useFilesContext();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const columns = useMemo(() => columnsFor(width), [width]);
  const template = isPhone ? "minmax(0,1fr) 44px" : gridTemplate(columns);
  const rowHeight = isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const stickyHeaderHeight = isPhone ? 0 : HEADER_HEIGHT;
  const grid = useGrid({ ...props, scroller, perRow: 1, rowHeight, stickyHeaderHeight });
  const personOf = usePeople(project.id);
  const pathOf = useEntryPath();
  const { entries, isPrevious } = props.list;
  const hasSelection = selection.ids.size > 0;
  const name = folder.parent_id === null ? t("root") : folder.name;

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t(hasFilter ? "resultsIn" : "listOf", { folder: name })}
      aria-multiselectable
      aria-rowcount={grid.total < 0 ? -1 : grid.total + 1}
      aria-busy={isPrevious}
      tabIndex={-1}
      {...grid.handlers}
      className={classes(
        "group/list min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-none",
        isPrevious && "opacity-60",
      )}
    >
      <TableHeader
        columns={columns}
        template={template}
        visuallyHidden={isPhone}
        urlState={urlState}
        onUrlStateChange={setUrlState}
        allSelected={grid.allSelected}
        hasSelection={hasSelection}
        onToggleAll={grid.toggleAll}
      />
      <div role="rowgroup" className="relative" style={{ height: grid.rows * rowHeight }}>
        {grid.renderedRows.map((row) => {
          const entry = entries[row];
          if (!entry)
            return <SkeletonRow key={`ghost-${row}`} top={row * rowHeight} height={rowHeight} template={template} columns={columns} isPhone={isPhone} />;
          const isCurrent = entry.id === grid.currentId;
          return (
            <EntryRow
              key={entry.id}
              entry={entry}
              index={row + 2}
              top={row * rowHeight}
              height={rowHeight}
              template={template}
              columns={columns}
              isPhone={isPhone}
              selected={selection.ids.has(entry.id)}
              hasSelection={hasSelection}
              isCurrent={isCurrent}
              path={hasFilter ? pathOf(entry) : null}
              uploader={personOf(entry.account_id)}
            />
          );
        })}
      </div>
      {props.list.moreFailed && <LoadMoreError onRetry={() => void props.list.loadMore(200)} />}
    </div>
  );
}
