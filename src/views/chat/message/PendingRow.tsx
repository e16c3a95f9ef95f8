import { memo, useMemo } from "react";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { SendStatus } from "../../../components/message-text/SendStatus.tsx";
import { MessageUploads } from "../../../components/uploads/MessageUploads.tsx";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";
import { useChat, useChatUser } from "../chat-context.ts";
import { rowKey } from "../timeline/rows.ts";
import { PendingVoice } from "../voice/VoiceNote.tsx";
import { CollapsibleText } from "./CollapsibleText.tsx";
import { MessageFrame } from "./MessageRow.tsx";
import { PlaylistCard } from "./PlaylistCard.tsx";
import { QuoteLine } from "./QuoteLine.tsx";
import { parseMentionIds } from "./use-message-actions.ts";

interface Props {
  entry: OutboxEntry;
  isGrouped: boolean;
  /** True on the last pending row while the service is unreachable; the row then shows that messages are waiting. */
  isDelayed: boolean;
}

/** Renders a message that the service has not stored yet. */
export const PendingRow = memo(function PendingRow({ entry, isGrouped, isDelayed }: Props) {
  const { nameOf, personOf } = useChat();
  const { actions } = useChatUser();
  const mentions = useMemo(() => parseMentionIds(entry.body, personOf), [entry.body, personOf]);
  return (
    <MessageFrame accountId={entry.accountId} at={entry.writtenAt} isGrouped={isGrouped} isDimmed={entry.state !== "failed"}>
      {entry.quote && <QuoteLine from={null} quote={entry.quote} />}
      {entry.body !== "" && (
        <CollapsibleText messageKey={rowKey(entry.accountId, entry.clientId, null)} body={entry.body}>
          <MessageText body={entry.body} mentions={mentions} nameOf={nameOf} readerId={entry.accountId} />
        </CollapsibleText>
      )}
      {entry.voice ? (
        <PendingVoice entry={entry} voice={entry.voice} />
      ) : (
        entry.uploads.length > 0 && <MessageUploads entry={entry} onDiscard={() => actions.discard(entry.clientId)} />
      )}
      {entry.playlist && <PlaylistCard playlist={{ ...entry.playlist, deleted: false }} />}
      <SendStatus
        entry={entry}
        isDelayed={isDelayed}
        warnsIfFailed
        className="mb-0.5"
        onRetry={() => actions.retry(entry.clientId)}
        onDiscard={() => actions.discard(entry.clientId)}
      />
    </MessageFrame>
  );
});
