/** Giving up a message on its way out. A voice note is nowhere else: it is a draft again. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { t } from "../../lib/messages/voice-note.ts";
import type { OutboxEntry, Voice } from "../../queries/outbox/outbox.ts";
import { outboxOf } from "../../queries/outbox/outbox-of.ts";
import { uploadsOf } from "../../queries/uploads/lazy-uploads.ts";
import { announce } from "../../ui/announce.ts";
import { openDesk } from "./use-desk.ts";

export function useDiscard(): (clientId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (clientId) => {
      const outbox = outboxOf(client);
      const entry = outbox.entries().find((one) => one.clientId === clientId);
      const takeBack = async (voice: Voice, { accountId, projectId, uploads, writtenAt: startedAt }: OutboxEntry) => {
        const bytes = await uploadsOf(client).bytesOf(uploads[0]!);
        const { recorder } = await openDesk();
        // Before its message goes: until then that hides it.
        if (bytes) await recorder.takeBack({ id: clientId, accountId, projectId, type: bytes.type, startedAt, ...voice }, bytes);
        const ended = outbox.ended(clientId);
        outbox.discard(clientId);
        // It may have been on its way already.
        if ((await ended) === "sent") recorder.forget(clientId);
        else announce(t("takenBackSpoken"));
      };
      if (entry?.voice) takeBack(entry.voice, entry).catch(() => announce(t("notLoaded")));
      else outbox.discard(clientId);
    },
    [client],
  );
}
