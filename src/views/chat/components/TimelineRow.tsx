import type { Person } from "../../../queries/members/use-people.ts";
import type { Row } from "../model/rows.ts";
import { DeletedRow } from "./DeletedRow.tsx";
import { MessageRow } from "./MessageRow.tsx";
import { PendingRow } from "./PendingRow.tsx";
import { DayHeader, UnreadLine } from "./Separators.tsx";
import type { Edit } from "../../../queries/drafts/edits.ts";

interface Props {
  row: Row;
  highlighted: boolean;
  delayed: boolean;
  current: boolean;
  edit: Edit | undefined;
  readers: readonly number[] | undefined;
  personOf(accountId: number): Person | undefined;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

export function TimelineRow({ row, highlighted, delayed, current, edit, readers, personOf, onRetry, onDiscard }: Props) {
  switch (row.kind) {
    case "day":
      return row.empty ? null : <DayHeader at={row.at} />;
    case "unread":
      return row.empty ? null : <UnreadLine first={row.first} />;
    case "gone":
    case "left":
      return null;
    case "deleted":
      return <DeletedRow message={row.message} />;
    case "message":
      return (
        <MessageRow
          message={row.message}
          author={personOf(row.message.account_id)}
          grouped={row.grouped}
          highlighted={highlighted}
          current={current}
          edit={edit}
          readers={readers}
        />
      );
    case "pending":
      return (
        <PendingRow entry={row.entry} author={personOf(row.entry.accountId)} grouped={row.grouped} delayed={delayed} onRetry={onRetry} onDiscard={onDiscard} />
      );
  }
}
