import { useEffect, useEffectEvent, useRef } from "react";
import type { Message } from "../../../../contract/records.ts";
import { useFailureAnnouncements } from "../../../components/message-text/action-notices.ts";
import { excerptOf } from "../../../components/message-text/parse.ts";
import { formatAccessibleDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/chat.ts";
import { t as tVoice } from "../../../lib/texts/voice.ts";
import { accessibleName, useAgentIds } from "../../../queries/agents/agent-accounts.ts";
import type { Person } from "../../../queries/members.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";
import { announce } from "../../../ui/announce.ts";
import { getVoiceAttachment } from "../message/tracks.ts";

/** UTF-16 units; a longer text is cut. */
const MAX_ANNOUNCEMENT_LENGTH = 200;

/** Milliseconds from the first new message to the announcement. */
const BATCH_WINDOW_MS = 2_000;

interface AnnouncementsInput {
  messages: readonly Message[] | undefined;
  /** Newest message of the chat; null while the end of the chat is not loaded, when nothing is announced. */
  newestId: number | null;
  entries: readonly OutboxEntry[];
  /** Null without a signed-in user. */
  accountId: number | null;
  personOf(accountId: number): Person | undefined;
}

/** Announces new messages and failed sends to screen readers. */
export function useAnnouncements({ messages, newestId, entries, accountId, personOf }: AnnouncementsInput): void {
  const agentIds = useAgentIds();
  const announceSince = useEffectEvent((sinceId: number) => {
    const text =
      messages && formatAnnouncement(messages, sinceId, accountId, (id) => accessibleName(personOf(id)?.name ?? t("formerMember"), agentIds.has(id)));
    if (text) announce(text);
  });
  const batchRef = useRef<ReturnType<typeof batchedAnnouncements>>(null);
  useEffect(() => {
    const batch = batchedAnnouncements(announceSince);
    batchRef.current = batch;
    return () => batch.stop();
  }, []);
  useEffect(() => {
    if (newestId !== null) batchRef.current?.update(newestId);
  }, [newestId]);

  useFailureAnnouncements(entries, t("announceFailed"));
}

/** Returns the announcement of new messages: one message's text or a count of several; null if others sent nothing new. */
export function formatAnnouncement(messages: readonly Message[], announcedThroughId: number, accountId: number | null, nameOf: (id: number) => string) {
  const newMessages = messages.filter(({ id, account_id, deleted }) => id > announcedThroughId && account_id !== accountId && !deleted);
  const [firstMessage] = newMessages;
  if (!firstMessage) return null;
  if (newMessages.length > 1) return t("announceMessages", { count: newMessages.length });
  // A message without text is announced by its file names.
  const fullText =
    firstMessage.comment?.excerpt ||
    (firstMessage.body === "" ? describeAttachments(firstMessage) : excerptOf(firstMessage.body, nameOf, firstMessage.mentions));
  const text = fullText.length > MAX_ANNOUNCEMENT_LENGTH ? `${fullText.slice(0, MAX_ANNOUNCEMENT_LENGTH).toWellFormed()}…` : fullText;
  return t("announceMessage", { name: nameOf(firstMessage.account_id), text });
}

function describeAttachments(message: Message): string {
  const seconds = getVoiceAttachment(message)?.audio?.duration ?? 0;
  if (message.is_audio_message) return seconds > 0 ? tVoice("noteAccessible", { duration: formatAccessibleDuration(seconds) }) : tVoice("note");
  return [...message.attachments, ...(message.playlist ? [message.playlist] : [])].map(({ name }) => name).join(", ");
}

/** Batches new messages, so that screen readers read one sentence instead of many. `announceSince` announces the messages after `sinceId`. */
export function batchedAnnouncements(announceSince: (sinceId: number) => void) {
  let announcedThroughId: number | null = null;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** Sets the newest message; messages present at the first call are not announced. */
    update(newestId: number) {
      newest = Math.max(newest, newestId);
      announcedThroughId ??= newestId;
      if (newest <= announcedThroughId || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        const sinceId = announcedThroughId!;
        announcedThroughId = newest;
        announceSince(sinceId);
      }, BATCH_WINDOW_MS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
