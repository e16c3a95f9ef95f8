import { useEffect, useEffectEvent, useRef } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { announce } from "../../../ui/announce.ts";
import { formatAnnouncement } from "../model/announcement.ts";
import { batchedAnnouncements, type BatchedAnnouncements } from "../model/gathered.ts";

interface Input {
  messages: readonly Message[] | undefined;
  /** Null while the end of the chat is not loaded, when nothing new can be announced. */
  newestId: number | null;
  entries: readonly OutboxEntry[];
  accountId: number;
  personOf(accountId: number): Person | undefined;
}

/** Announces new messages and failed sends to screen readers. */
export function useAnnouncements({ messages, newestId, entries, accountId, personOf }: Input): void {
  const announceSince = useEffectEvent((sinceId: number) => {
    const text = messages && formatAnnouncement(messages, sinceId, accountId, (id) => personOf(id)?.name ?? t("formerMember"));
    if (text) announce(text);
  });
  const batchRef = useRef<BatchedAnnouncements>(null);
  useEffect(() => {
    const batch = batchedAnnouncements(announceSince);
    batchRef.current = batch;
    return () => batch.stop();
  }, []);
  useEffect(() => {
    if (newestId !== null) batchRef.current?.update(newestId);
  }, [newestId]);

  const failedCount = entries.filter(({ state }) => state === "failed").length;
  const previousFailedCount = useRef(failedCount);
  useEffect(() => {
    if (failedCount > previousFailedCount.current) announce(t("announceFailed"));
    previousFailedCount.current = failedCount;
  }, [failedCount]);
}
