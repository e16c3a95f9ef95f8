import type { Person } from "../../../queries/members/use-people.ts";
import type { Row } from "../model/rows.ts";
import { MessageRow } from "./MessageRow.tsx";
import { PendingRow } from "./PendingRow.tsx";
import { DayHeader, UnreadLine } from "./Separators.tsx";

interface Props {
  row: Row;
  highlighted: boolean;
  delayed: boolean;
  personOf(accountId: number): Person | undefined;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

export function TimelineRow({ row, highlighted, delayed, personOf, onRetry, onDiscard }: Props) {
  switch (row.kind) {
    case "day":
      return <DayHeader at={row.at} />;
    case "unread":
      return <UnreadLine />;
    case "message":
      return <MessageRow message={row.message} author={personOf(row.message.account_id)} grouped={row.grouped} highlighted={highlighted} />;
    case "pending":
      return (
        <PendingRow entry={row.entry} author={personOf(row.entry.accountId)} grouped={row.grouped} delayed={delayed} onRetry={onRetry} onDiscard={onDiscard} />
      );
  }
}
