import { useEffect, useEffectEvent, useRef } from "react";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/chat.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import type { OutboxEntry } from "../../../queries/outbox/outbox.ts";
import { announce } from "../../../ui/announce.ts";
import { announcementOf } from "../model/announcement.ts";
import { gathered, type Gathered } from "../model/gathered.ts";

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
  const tell = useEffectEvent((through: number) => {
    const text = messages && announcementOf(messages, through, accountId, (id) => personOf(id)?.name ?? t("formerMember"));
    if (text) announce(text);
  });
  const news = useRef<Gathered>(null);
  useEffect(() => {
    const gathering = gathered(tell);
    news.current = gathering;
    return () => gathering.stop();
  }, []);
  useEffect(() => {
    if (newestId !== null) news.current?.hear(newestId);
  }, [newestId]);

  const failed = entries.filter(({ state }) => state === "failed").length;
  const failedBefore = useRef(failed);
  useEffect(() => {
    if (failed > failedBefore.current) announce(t("failedSpoken"));
    failedBefore.current = failed;
  }, [failed]);
}
