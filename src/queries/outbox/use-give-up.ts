import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Voice } from "./outbox.ts";
import { outboxOf } from "./outbox-of.ts";
import { recordedBytes } from "./recorded-bytes.ts";

interface GivenUpVoice extends Voice {
  id: string;
  accountId: number;
  projectId: number;
  type: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

/**
 * Gives up a message on its way out. The sound of a voice note is handed to `keep` first, since it may be nowhere else. Answers what became
 * of that note; null where the message was none. Rejects where its sound could not be got: then it still waits.
 */
export function useGiveUp() {
  const client = useQueryClient();
  return useCallback(
    async (clientId: string, keep: (voice: GivenUpVoice, bytes: Blob) => Promise<void>): Promise<"sent" | "discarded" | null> => {
      const outbox = outboxOf(client);
      const entry = outbox.entries().find((one) => one.clientId === clientId);
      if (entry?.voice) {
        const bytes = await recordedBytes(client, entry.uploads[0]!);
        const { accountId, projectId, writtenAt: startedAt, voice } = entry;
        // Before its message goes: until then that hides it.
        if (bytes) await keep({ id: clientId, accountId, projectId, type: bytes.type, startedAt, ...voice }, bytes);
      }
      const ended = entry?.voice ? outbox.ended(clientId) : null;
      outbox.discard(clientId);
      return ended;
    },
    [client],
  );
}
