import { useMemo, useRef } from "react";
import { classes } from "../../../../lib/classes.ts";
import { t } from "../../../../lib/messages/files.ts";
import { usePeople } from "../../../../queries/members/use-people.ts";
import { useWidth } from "../../../../ui/use-width.ts";
import { columnsFor, templateOf } from "../../model/columns.ts";
import { useFilesRoom } from "../files-room.ts";
import { EntryRow, GhostRow } from "./EntryRow.tsx";
import type { ListingProps } from "./listing-props.ts";
import { MoreFailed } from "./MoreFailed.tsx";
import { TableHead } from "./TableHead.tsx";
import { useGrid } from "./use-grid.ts";
import { usePathOf } from "./use-path-of.ts";

export const ROW_HEIGHT = 44;
export const PHONE_ROW_HEIGHT = 64;
const HEAD_HEIGHT = 36;

/** The listing as rows; on a phone each has two lines and there are no columns. */
export function Table({ phone, ...props }: ListingProps & { phone: boolean }) {
  const { project, folder, shown, show, filtered, selection } = useFilesRoom();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const columns = useMemo(() => columnsFor(width), [width]);
  const template = phone ? "minmax(0,1fr) 44px" : templateOf(columns);
  const rowHeight = phone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
  const covered = phone ? 0 : HEAD_HEIGHT;
  const grid = useGrid({ ...props, scroller, perRow: 1, rowHeight, covered });
  const personOf = usePeople(project.id);
  const pathOf = usePathOf();
  const { entries, isPrevious } = props.list;
  const selecting = selection.ids.size > 0;
  const name = folder.parent_id === null ? t("root") : folder.name;

  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t(filtered ? "foundIn" : "listOf", { folder: name })}
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
      <TableHead columns={columns} template={template} hidden={phone} shown={shown} onShow={show} all={grid.all} selecting={selecting} onAll={grid.toggleAll} />
      <div role="rowgroup" className="relative" style={{ height: grid.rows * rowHeight }}>
        {grid.drawn.map((row) => {
          const entry = entries[row];
          if (!entry) return <GhostRow key={`ghost-${row}`} top={row * rowHeight} height={rowHeight} template={template} columns={columns} phone={phone} />;
          const isCurrent = entry.id === grid.current;
          return (
            <EntryRow
              key={entry.id}
              entry={entry}
              index={row + 2}
              top={row * rowHeight}
              height={rowHeight}
              template={template}
              columns={columns}
              phone={phone}
              selected={selection.ids.has(entry.id)}
              selecting={selecting}
              current={isCurrent}
              path={filtered ? pathOf(entry) : null}
              uploader={personOf(entry.account_id)}
            />
          );
        })}
      </div>
      {props.list.moreFailed && <MoreFailed onRetry={() => void props.list.loadMore(200)} />}
    </div>
  );
}
