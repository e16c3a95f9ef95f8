import { memo } from "react";
import type { FileEntry } from "../../../../../contract/file-records.ts";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import type { Person } from "../../../../queries/members/use-people.ts";
import { Skeleton } from "../../../../ui/Skeleton.tsx";
import type { Column } from "../../model/columns.ts";
import { spokenOf } from "../../model/spoken.ts";
import { CheckBox } from "./CheckBox.tsx";
import { Cell, PhoneFacts } from "./cells.tsx";
import { EntryMore } from "./EntryMore.tsx";
import { EntryName } from "./EntryName.tsx";
import { EntryPicture } from "./EntryPicture.tsx";
import { ProgressLine } from "./EntryState.tsx";

interface Shape {
  /** CSS pixels. */
  top: number;
  height: number;
  template: string;
  columns: readonly Column[];
  phone: boolean;
}

interface Props extends Shape {
  entry: FileEntry;
  /** As screen readers count rows, the head is the first. */
  index: number;
  selected: boolean;
  /** Something is selected: every row shows its box. */
  selecting: boolean;
  /** Tab leads here. */
  current: boolean;
  /** Where it lies, among what was found; null in a folder's own listing. */
  path: string | null;
  uploader: Person | undefined;
}

/** Nothing in a row changes the place of anything outside: drawing one costs what is in it. */
const ROW = "absolute inset-x-0 grid items-center [contain:strict]";

/** One file or folder. Presses and keys are listened to by the list around it. */
export const EntryRow = memo(function EntryRow({ entry, index, top, height, template, columns, phone, selected, selecting, current, path, uploader }: Props) {
  const tab = current ? 0 : -1;
  return (
    <div
      role="row"
      data-entry={entry.id}
      draggable
      aria-rowindex={index}
      aria-selected={selected}
      aria-label={spokenOf(entry, uploader?.name)}
      tabIndex={tab}
      className={classes(
        ROW,
        "group/row border-b border-line px-1 select-none [-webkit-touch-callout:none] focus-visible:z-1 focus-visible:-outline-offset-2",
        selected ? "bg-accent-soft" : "hover:bg-hover/60",
      )}
      style={{ top, height, gridTemplateColumns: template }}
    >
      {!phone && (
        <span role="gridcell" className="flex justify-center">
          <CheckBox label={t("select", { name: entry.name })} checked={selected} shown={selecting} className="group-hover/row:opacity-100" />
        </span>
      )}
      {phone ? (
        <span role="gridcell" className="flex min-w-0 items-center gap-3 pl-3">
          <EntryPicture entry={entry} tab={tab} selected={selected && selecting} />
          <span className="min-w-0 flex-1">
            <EntryName entry={entry} tab={tab} path={null} />
            <PhoneFacts entry={entry} path={path} />
          </span>
        </span>
      ) : (
        columns.map((column) =>
          column.name === "name" ? (
            <span key="name" role="gridcell" className="flex min-w-0 items-center gap-2.5 pr-2 pl-1">
              <EntryPicture entry={entry} tab={tab} />
              <EntryName entry={entry} tab={tab} path={path} />
            </span>
          ) : (
            <Cell key={column.name} column={column} entry={entry} uploader={uploader} tab={tab} />
          ),
        )
      )}
      <span role="gridcell" className="flex justify-center">
        <EntryMore entry={entry} tab={tab} className="pointer-coarse:size-11" />
      </span>
      <ProgressLine entry={entry} />
    </div>
  );
});

/** The shape of a row that is on its way. */
export const GhostRow = memo(function GhostRow({ top, height, template, columns, phone }: Shape) {
  return (
    <div aria-hidden className={classes(ROW, "border-b border-line px-1")} style={{ top, height, gridTemplateColumns: template }}>
      {!phone && <span />}
      <span className={classes("flex items-center gap-2.5", phone ? "pl-3" : "pl-1")}>
        <Skeleton className={phone ? "size-10 shrink-0" : "size-8 shrink-0"} />
        <span className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-3 w-1/2 max-w-60" />
          {phone && <Skeleton className="h-2.5 w-2/5" />}
        </span>
      </span>
      {!phone && columns.slice(1).map(({ name, end }) => <Skeleton key={name} className={classes("mx-2 h-3 w-12", end && "justify-self-end")} />)}
    </div>
  );
});
