import { CircleAlert } from "lucide-react";
import { memo } from "react";
import { t } from "../../../lib/messages/chat.ts";
import { MessageText } from "../../../parts/MessageText.tsx";
import { MessageUploads } from "../../../parts/uploads/MessageUploads.tsx";
import type { Person } from "../../../queries/members/use-people.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { Button } from "../../../ui/Button.tsx";
import { MessageFrame } from "./MessageRow.tsx";

interface Props {
  entry: OutboxEntry;
  author: Person | undefined;
  grouped: boolean;
  /** The first message in line has not reached the service: then waiting is worth a word. */
  delayed: boolean;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

/** A message that is not with the service yet. */
export const PendingRow = memo(function PendingRow({ entry, author, grouped, delayed, onRetry, onDiscard }: Props) {
  const failed = entry.state === "failed";
  return (
    <MessageFrame accountId={entry.accountId} author={author} at={entry.writtenAt} grouped={grouped} faint={!failed}>
      {entry.body !== "" && <MessageText body={entry.body} />}
      {entry.uploads.length > 0 && <MessageUploads clientId={entry.clientId} waiting={entry.state === "waiting"} onDiscard={onDiscard} />}
      {!failed && delayed && <p className="text-xs text-text-3">{t("waiting")}</p>}
      {failed && (
        <div className="mt-1 mb-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-danger">
          <CircleAlert size={15} aria-hidden />
          <span className="wrap-anywhere">{entry.fault ? t("failedBecause", { fault: entry.fault }) : t("failed")}</span>
          <Button size="sm" onClick={() => onRetry(entry.clientId)}>
            {t("sendAgain")}
          </Button>
          <Button size="sm" look="danger" onClick={() => onDiscard(entry.clientId)}>
            {t("discard")}
          </Button>
        </div>
      )}
    </MessageFrame>
  );
});
