import { CircleAlert } from "lucide-react";
import { memo, useMemo } from "react";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { t } from "../../../lib/texts/chat.ts";
import type { Person } from "../../../queries/members.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox.ts";
import { Button } from "../../../ui/Button.tsx";
import { useChat } from "../chat-context.ts";
import { MessageUploads } from "../composer/MessageUploads.tsx";
import { rowKey } from "../timeline/rows.ts";
import { PendingVoice } from "../voice/VoiceNote.tsx";
import { CollapsibleText } from "./CollapsibleText.tsx";
import { MessageFrame } from "./MessageRow.tsx";
import { QuoteLine } from "./QuoteLine.tsx";

interface Props {
  entry: OutboxEntry;
  author: Person | undefined;
  grouped: boolean;
  /** True if the first pending message has not reached the service; the row then shows that it is waiting. */
  delayed: boolean;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

/** Renders a message that the service has not stored yet. */
export const PendingRow = memo(function PendingRow({ entry, author, grouped, delayed, onRetry, onDiscard }: Props) {
  const isFailed = entry.state === "failed";
  const { nameOf, personOf } = useChat();
  const mentions = useMemo(() => parseMentionIds(entry.body, personOf), [entry.body, personOf]);
  return (
    <MessageFrame accountId={entry.accountId} author={author} at={entry.writtenAt} grouped={grouped} dimmed={!isFailed}>
      {entry.quote && <QuoteLine from={null} quote={entry.quote} />}
      {entry.body !== "" && (
        <CollapsibleText messageKey={rowKey(entry.accountId, entry.clientId, null)} body={entry.body}>
          <MessageText body={entry.body} mentions={mentions} nameOf={nameOf} readerId={entry.accountId} />
        </CollapsibleText>
      )}
      {entry.voice ? (
        <PendingVoice clientId={entry.clientId} voice={entry.voice} waiting={entry.state === "waiting"} onDiscard={onDiscard} />
      ) : (
        entry.uploads.length > 0 && <MessageUploads clientId={entry.clientId} waiting={entry.state === "waiting"} onDiscard={onDiscard} />
      )}
      {!isFailed && delayed && <p className="text-xs text-text-3">{t("waiting")}</p>}
      {!entry.kept && (isFailed || delayed) && <p className="text-xs text-danger">{t("notPersisted")}</p>}
      {isFailed && (
        <div className="mt-1 mb-0.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-danger">
          <span className="flex items-start gap-1.5 wrap-anywhere">
            <CircleAlert size={15} aria-hidden className="mt-px shrink-0" />
            {entry.fault ? t("failedBecause", { reason: entry.fault }) : t("failed")}
          </span>
          <span className="flex gap-2">
            <Button size="sm" onClick={() => onRetry(entry.clientId)}>
              {t("sendAgain")}
            </Button>
            <Button size="sm" variant={entry.voice ? "secondary" : "danger"} onClick={() => onDiscard(entry.clientId)}>
              {entry.voice ? t("moveToDraft") : t("discard")}
            </Button>
          </span>
        </div>
      )}
    </MessageFrame>
  );
});

/** Returns the account ids that the service will recognize as mentions. */
const parseMentionIds = (body: string, personOf: (accountId: number) => Person | undefined): number[] =>
  [...body.matchAll(/<@(\d{1,15})>/g)].map(([, id]) => Number(id)).filter((id) => personOf(id) !== undefined);
