import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useRef } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import { usePeople } from "../../../queries/members.ts";
import { useWidth } from "../../../ui/responsive.ts";
import { useFilesContext } from "../files-context.ts";
import { toggleFieldSort, toggleSort } from "../url-state.ts";
import { ColumnResizer, useColumnWidths } from "./ColumnResizer.tsx";
import { type Column, columnKey, type ColumnName, columnsFor, gridTemplate, minimumWidth, minWidthOf } from "./columns.ts";
import { CheckBox } from "./entry-controls.tsx";
import { EntryGrid, type GridHeaderProps } from "./EntryGrid.tsx";
import { EntryRow, SkeletonRow } from "./EntryRow.tsx";
import type { ListingProps } from "./use-listing.ts";

const ROW_HEIGHT_PX = 44;
const PHONE_ROW_HEIGHT_PX = 64;
const HEADER_HEIGHT_PX = 36;

/** Renders the listing as rows. On a phone, each row has two lines and no columns. */
export function Table({ isPhone, ...props }: ListingProps & { isPhone: boolean }) {
  const { project, fieldColumns, isRecent } = useFilesContext();
  const [widths, setWidth] = useColumnWidths();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const columns = useMemo(
    () => columnsFor(width, { fields: isPhone ? [] : fieldColumns.shown, hasFolder: isRecent, widths }),
    [width, isPhone, fieldColumns.shown, isRecent, widths],
  );
  const minWidth = isPhone ? null : minimumWidth(columns);
  const template = isPhone ? "minmax(0,1fr) 44px" : gridTemplate(columns);
  const height = isPhone ? PHONE_ROW_HEIGHT_PX : ROW_HEIGHT_PX;
  const personOf = usePeople(project.id);
  return (
    <EntryGrid
      {...props}
      scroller={scroller}
      perRow={1}
      minWidth={minWidth}
      rowHeight={height}
      stickyHeaderHeight={isPhone ? 0 : HEADER_HEIGHT_PX}
      renderHeader={(selection) => (
        <TableHeader
          {...selection}
          columns={columns}
          template={template}
          minWidth={minWidth}
          isScrolled={minWidth !== null && minWidth > width}
          isVisuallyHidden={isPhone}
          onResize={setWidth}
        />
      )}
      renderRow={({ index, itemAt }) => {
        const item = itemAt(index);
        const shape = { top: index * height, height, template, columns, isPhone, isScrolled: minWidth !== null };
        if (!item) return <SkeletonRow key={`skeleton-${index}`} {...shape} />;
        const { entry } = item;
        return <EntryRow key={entry.id} {...shape} {...item} index={index + 2} uploader={personOf(entry.account_id)} />;
      }}
    />
  );
}

interface TableHeaderProps extends GridHeaderProps {
  columns: readonly Column[];
  template: string;
  /** CSS pixels; null if the columns always fit. */
  minWidth: number | null;
  /** True if the columns are wider than the list. */
  isScrolled: boolean;
  /** True if only screen readers get the header, because a phone has no columns. */
  isVisuallyHidden: boolean;
  /** null resets the width. */
  onResize(key: string, widthPx: number | null): void;
}

/** Renders the column headers, which sort by their column. */
function TableHeader({ columns, template, minWidth, isScrolled, isVisuallyHidden, onResize, isAllSelected, hasSelection, onToggleAll }: TableHeaderProps) {
  const { urlState, setUrlState } = useFilesContext();
  const Arrow = urlState.order === "asc" ? ArrowUp : ArrowDown;
  // The selection bar covers the headers.
  const tabIndex = hasSelection ? -1 : 0;
  return (
    <div
      role="rowgroup"
      className={isVisuallyHidden ? "sr-only" : "sticky top-0 z-2 border-b border-line bg-surface px-1"}
      style={{ minWidth: minWidth ?? undefined }}
    >
      <div role="row" aria-rowindex={1} className="grid h-9 items-center text-sm text-text-2" style={{ gridTemplateColumns: template }}>
        {!isVisuallyHidden && (
          <span
            role="columnheader"
            className={classNames("flex h-full items-center justify-center", minWidth !== null && "sticky left-0 z-1 -ml-1 bg-surface pl-1")}
          >
            <span className="sr-only">{t("selection")}</span>
            <CheckBox
              label={t("selectAll")}
              isChecked={isAllSelected}
              isMixed={hasSelection && !isAllSelected}
              isAlwaysVisible={hasSelection}
              onToggle={onToggleAll}
              className="group-hover/list:opacity-100"
            />
          </span>
        )}
        {columns.map((column) => {
          const { name, field, sort, alignEnd, showsName, widthPx } = column;
          const isSorted = field ? urlState.sortField === field.id : sort !== null && urlState.sortField === null && urlState.sort === sort;
          const label = field ? field.name : t(name === "folder" ? "oneFolder" : (name as Exclude<ColumnName, "field">));
          return (
            <span
              key={columnKey(column)}
              role="columnheader"
              // Its own name, without that of the handle that resizes it.
              aria-label={label}
              aria-sort={isSorted ? (urlState.order === "asc" ? "ascending" : "descending") : undefined}
              className={classNames(
                "flex h-full min-w-0 items-center",
                alignEnd && "justify-end",
                name === "name" && minWidth !== null ? "sticky left-10 z-2 bg-surface" : "relative",
              )}
            >
              {(sort === null && !field) || isVisuallyHidden ? (
                <span className={name === "uploader" && !showsName ? "sr-only" : "truncate px-2"}>{label}</span>
              ) : (
                <button
                  type="button"
                  tabIndex={tabIndex}
                  onClick={() => setUrlState((current) => (field ? toggleFieldSort(current, field.id) : toggleSort(current, sort ?? "name")))}
                  className={classNames(
                    "inline-flex h-7 min-w-0 items-center gap-1 rounded-sm px-2 hover:bg-hover hover:text-text",
                    alignEnd && "flex-row-reverse",
                    isSorted && "font-medium text-text",
                  )}
                >
                  <span className="truncate">{label}</span>
                  {isSorted && <Arrow size={13} aria-hidden className="shrink-0" />}
                </button>
              )}
              {widthPx !== null && !isVisuallyHidden && (
                <ColumnResizer
                  tabIndex={tabIndex}
                  label={label}
                  widthPx={widthPx}
                  minWidthPx={minWidthOf(columnKey(column))}
                  edge={isScrolled ? "end" : "start"}
                  onResize={(next) => onResize(columnKey(column), next)}
                />
              )}
            </span>
          );
        })}
        <span role="columnheader" className={minWidth === null ? undefined : "sticky right-0 z-1 -mr-1 h-full bg-surface"}>
          <span className="sr-only">{t("actions")}</span>
        </span>
      </div>
    </div>
  );
}
