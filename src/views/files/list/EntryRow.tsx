import { memo, type ReactNode } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/files.ts";
import type { Person } from "../../../queries/members.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Cell, PhoneFacts, ProgressLine, UploaderAvatar } from "./cells.tsx";
import { type Column, columnKey } from "./columns.ts";
import { CheckBox, type EntryControlProps, EntryMenuButton, EntryThumbnail } from "./entry-controls.tsx";
import { EntryName } from "./EntryName.tsx";
import { type EntryItemProps, useEntryItem } from "./use-entry-item.tsx";

interface RowShape {
  /** CSS pixels. */
  top: number;
  height: number;
  template: string;
  columns: readonly Column[];
  isPhone: boolean;
  /** True if the list may scroll sideways, while the name stays. */
  isScrolled: boolean;
}

interface Props extends RowShape, EntryItemProps {
  uploader: Person | undefined;
  /** Row index for screen readers, which count the header as the first row. */
  index: number;
}

/** CSS containment limits the layout and paint of a row to its own content. */
/** The colour of a selected row on an opaque ground, so that what scrolls under its name does not show through. */
const SELECTED_OPAQUE = "[background:linear-gradient(var(--accent-soft),var(--accent-soft))_var(--surface)]";
const STICKY_CLASS = "sticky z-1 [background:inherit]";
const ROW_CLASS = "absolute inset-x-0 grid items-center [contain:strict]";

/** Renders one file or folder. While the list scrolls, only rows that appear are rendered. */
export const EntryRow = memo(function EntryRow({ entry, handlers, isTabStop, index, top, height, template, ...content }: Props) {
  const { itemProps, isSelected, dragHandle } = useEntryItem({ entry, handlers, isTabStop }, content.uploader?.name);
  return (
    <div
      {...itemProps}
      aria-rowindex={index}
      className={classNames(
        ROW_CLASS,
        "group/row border-b border-line px-1 select-none [-webkit-touch-callout:none] focus-visible:z-1 focus-visible:-outline-offset-2",
        content.isScrolled ? (isSelected ? SELECTED_OPAQUE : "bg-surface hover:bg-hover") : isSelected ? "bg-accent-soft" : "hover:bg-hover/60",
      )}
      style={{ top, height, gridTemplateColumns: template }}
    >
      <RowCells {...content} entry={entry} handlers={handlers} tabIndex={itemProps.tabIndex} isSelected={isSelected} dragHandle={dragHandle} />
    </div>
  );
});

const RowCells = memo(function RowCells({
  columns,
  isPhone,
  isScrolled,
  hasSelection,
  path,
  uploader,
  isSelected,
  dragHandle,
  ...control
}: Pick<Props, "columns" | "isPhone" | "isScrolled" | "hasSelection" | "path" | "uploader"> &
  EntryControlProps & { isSelected: boolean; dragHandle: ReactNode }) {
  const { entry, tabIndex } = control;
  const hasFolderColumn = columns.some(({ name }) => name === "folder");
  return (
    <>
      {!isPhone && (
        <span role="gridcell" className={classNames("flex h-full items-center justify-center", isScrolled && STICKY_CLASS, isScrolled && "left-0 -ml-1 pl-1")}>
          <CheckBox
            label={t("select", { name: entry.name })}
            isChecked={isSelected}
            isAlwaysVisible={hasSelection}
            onToggle={(isRange) => control.handlers.onToggle(entry, isRange)}
            className="group-hover/row:opacity-100"
          />
        </span>
      )}
      {isPhone ? (
        <span role="gridcell" className="flex min-w-0 items-center gap-3 pl-3">
          <EntryThumbnail {...control} isSelected={isSelected} />
          <span className="min-w-0 flex-1">
            <EntryName entry={entry} tabIndex={tabIndex} path={null} />
            <PhoneFacts entry={entry} path={path} />
          </span>
          {!entry.is_folder && <UploaderAvatar entry={entry} uploader={uploader} />}
        </span>
      ) : (
        columns.map((column) =>
          column.name === "name" ? (
            <span
              key="name"
              role="gridcell"
              className={classNames("flex h-full min-w-0 items-center gap-2.5 pr-2 pl-1", isScrolled && STICKY_CLASS, isScrolled && "left-10")}
            >
              <EntryThumbnail {...control} />
              <EntryName entry={entry} tabIndex={tabIndex} path={hasFolderColumn ? null : path} />
              <ProgressLine entry={entry} />
            </span>
          ) : (
            <Cell key={columnKey(column)} column={column} entry={entry} uploader={uploader} path={path} tabIndex={tabIndex} />
          ),
        )
      )}
      <span role="gridcell" className={classNames("flex h-full items-center justify-center", isScrolled && STICKY_CLASS, isScrolled && "right-0 -mr-1 pr-1")}>
        <EntryMenuButton {...control} className="pointer-coarse:size-11" />
        <span className="absolute top-1 right-12">{dragHandle}</span>
        {isPhone && <ProgressLine entry={entry} />}
      </span>
    </>
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
        columns.slice(1).map((column) => <Skeleton key={columnKey(column)} className={classNames("mx-2 h-3 w-12", column.alignEnd && "justify-self-end")} />)}
    </div>
  );
});
