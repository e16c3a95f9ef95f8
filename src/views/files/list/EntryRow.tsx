import { memo } from "react";
import type { FileEntry } from "../../../../contract/file-records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import type { Person } from "../../../queries/members.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { formatAccessibleLabel } from "../entry-labels.ts";
import { Cell, PhoneFacts, ProgressLine } from "./cells.tsx";
import type { Column } from "./columns.ts";
import { CheckBox, EntryMenuButton, EntryThumbnail } from "./entry-controls.tsx";
import { EntryName } from "./EntryName.tsx";

interface RowShape {
  /** CSS pixels. */
  top: number;
  height: number;
  template: string;
  columns: readonly Column[];
  isPhone: boolean;
}

interface Props extends RowShape {
  entry: FileEntry;
  /** Row index for screen readers, which count the header as the first row. */
  index: number;
  isSelected: boolean;
  /** True if anything is selected, so that every row shows its checkbox. */
  hasSelection: boolean;
  /** True for the row in the tab order. */
  isCurrent: boolean;
  /** The folder path of a search result; null in a folder's own listing. */
  path: string | null;
  uploader: Person | undefined;
}

/** CSS containment limits the layout and paint of a row to its own content. */
const ROW_CLASS = "absolute inset-x-0 grid items-center [contain:strict]";

/** Renders one file or folder. The surrounding list handles presses and keys. */
export const EntryRow = memo(function EntryRow({
  entry,
  index,
  top,
  height,
  template,
  columns,
  isPhone,
  isSelected,
  hasSelection,
  isCurrent,
  path,
  uploader,
}: Props) {
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <div
      role="row"
      data-entry={entry.id}
      draggable
      aria-rowindex={index}
      aria-selected={isSelected}
      aria-label={formatAccessibleLabel(entry, useServiceTime(), uploader?.name)}
      tabIndex={tabIndex}
      className={classNames(
        ROW_CLASS,
        "group/row border-b border-line px-1 select-none [-webkit-touch-callout:none] focus-visible:z-1 focus-visible:-outline-offset-2",
        isSelected ? "bg-accent-soft" : "hover:bg-hover/60",
      )}
      style={{ top, height, gridTemplateColumns: template }}
    >
      {!isPhone && (
        <span role="gridcell" className="flex justify-center">
          <CheckBox label={t("select", { name: entry.name })} isChecked={isSelected} isAlwaysVisible={hasSelection} className="group-hover/row:opacity-100" />
        </span>
      )}
      {isPhone ? (
        <span role="gridcell" className="flex min-w-0 items-center gap-3 pl-3">
          <EntryThumbnail entry={entry} tabIndex={tabIndex} isSelected={isSelected && hasSelection} />
          <span className="min-w-0 flex-1">
            <EntryName entry={entry} tabIndex={tabIndex} path={null} />
            <PhoneFacts entry={entry} path={path} />
          </span>
        </span>
      ) : (
        columns.map((column) =>
          column.name === "name" ? (
            <span key="name" role="gridcell" className="flex min-w-0 items-center gap-2.5 pr-2 pl-1">
              <EntryThumbnail entry={entry} tabIndex={tabIndex} />
              <EntryName entry={entry} tabIndex={tabIndex} path={path} />
            </span>
          ) : (
            <Cell key={column.name} column={column} entry={entry} uploader={uploader} tabIndex={tabIndex} />
          ),
        )
      )}
      <span role="gridcell" className="flex justify-center">
        <EntryMenuButton entry={entry} tabIndex={tabIndex} className="pointer-coarse:size-11" />
      </span>
      <ProgressLine entry={entry} />
    </div>
  );
});

/** Renders the placeholder of a row that is loading. */
export const SkeletonRow = memo(function SkeletonRow({ top, height, template, columns, isPhone }: RowShape) {
  return (
    <div aria-hidden className={classNames(ROW_CLASS, "border-b border-line px-1")} style={{ top, height, gridTemplateColumns: template }}>
      {!isPhone && <span />}
      <span className={classNames("flex items-center gap-2.5", isPhone ? "pl-3" : "pl-1")}>
        <Skeleton className={isPhone ? "size-10 shrink-0" : "size-8 shrink-0"} />
        <span className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-3 w-1/2 max-w-60" />
          {isPhone && <Skeleton className="h-2.5 w-2/5" />}
        </span>
      </span>
      {!isPhone &&
        columns.slice(1).map(({ name, alignEnd }) => <Skeleton key={name} className={classNames("mx-2 h-3 w-12", alignEnd && "justify-self-end")} />)}
    </div>
  );
});
