import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Voice } from "./outbox.ts";
import { getOutbox } from "./outbox-of.ts";
import { loadRecordedBytes } from "./recorded-bytes.ts";

interface CanceledVoice extends Voice {
  id: string;
  accountId: number;
  projectId: number;
  type: string;
  /** Epoch milliseconds. */
  startedAt: number;
}

/**
 * Gives up a message on its way out. The sound of a voice note is handed to `saveVoice` first, since it may be nowhere else. Answers what became
 * of that note; null where the message was none. Rejects where its sound could not be got: then it still waits.
 */
export function useCancelMessage() {
  const client = useQueryClient();
  return useCallback(
    async (clientId: string, saveVoice: (voice: CanceledVoice, bytes: Blob) => Promise<void>): Promise<"sent" | "discarded" | null> => {
      const outbox = getOutbox(client);
      const entry = outbox.entries().find((candidate) => candidate.clientId === clientId);
      if (entry?.voice) {
        const bytes = await loadRecordedBytes(client, entry.uploads[0]!);
        const { accountId, projectId, writtenAt: startedAt, voice } = entry;
        // Before its message goes: until then that hides it.
        if (bytes) await saveVoice({ id: clientId, accountId, projectId, type: bytes.type, startedAt, ...voice }, bytes);
      }
      const settled = entry?.voice ? outbox.whenSettled(clientId) : null;
      outbox.discard(clientId);
      return settled;
    },
    [client],
  );
}
