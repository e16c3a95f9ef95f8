import { useEffect, useRef } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { announce } from "../../../ui/announce.ts";
import { announcementOf } from "../model/announcement.ts";

interface Input {
  messages: readonly Message[] | undefined;
  /** null while the end of the chat is not loaded: then nothing new can be told. */
  newestId: number | null;
  entries: readonly OutboxEntry[];
  accountId: number;
  personOf(accountId: number): Person | undefined;
}

/** Tells screen readers what arrives, and what could not be sent. */
export function useAnnouncements({ messages, newestId, entries, accountId, personOf }: Input): void {
  const heard = useRef<number | null>(null);
  useEffect(() => {
    const through = heard.current;
    if (!messages || newestId === null) return;
    heard.current = Math.max(newestId, through ?? 0);
    if (through === null || newestId <= through) return;
    const text = announcementOf(messages, through, accountId, (id) => personOf(id)?.name ?? t("formerMember"));
    if (text !== null) announce(text);
  }, [messages, newestId, accountId, personOf]);

  const failed = entries.filter(({ state }) => state === "failed").length;
  const failedBefore = useRef(failed);
  useEffect(() => {
    if (failed > failedBefore.current) announce(t("failedSpoken"));
    failedBefore.current = failed;
  }, [failed]);
}
