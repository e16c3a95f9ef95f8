import { Trash2 } from "lucide-react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat.ts";
import type { Person } from "../../../queries/members.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Button } from "../../../ui/Button.tsx";
import { useChat } from "../chat-context.ts";
import { MessageRow } from "../message/MessageRow.tsx";
import { PendingRow } from "../message/PendingRow.tsx";
import type { Row } from "./rows.ts";
import { DayHeader, UnreadLine } from "./TimelineHeader.tsx";

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

/** Renders a row of the timeline by its kind. */
export function TimelineRow({ row, highlighted, delayed, current, edit, readers, personOf, onRetry, onDiscard }: Props) {
  switch (row.kind) {
    case "day":
      return row.empty ? null : <DayHeader at={row.at} />;
    case "unread":
      return row.empty ? null : <UnreadLine first={row.first} />;
    case "hidden":
    case "placeholder":
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

/** Replaces a deleted message for ten minutes and offers Undo to the reader who deleted it. */
function DeletedRow({ message }: { message: Message }) {
  const { actions } = useChat();
  return (
    <div data-message={message.id} tabIndex={-1} className="mx-2.5 flex h-9 items-center gap-3 px-2.5 text-sm text-text-2 max-tablet:mx-0 max-tablet:px-3.5">
      <Trash2 size={15} aria-hidden className="w-9 shrink-0 text-text-3" />
      {t("deleted")}
      <Button size="sm" onClick={() => actions.restore(message)}>
        {t("undo")}
      </Button>
    </div>
  );
}
