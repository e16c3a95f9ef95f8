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
 * Discards an unsent message. The audio of a voice note goes to `saveVoice` first, since there may be no other copy. Returns the outcome of
 * the voice note; null for any other message. Rejects when the audio cannot be loaded, and the message then stays in the outbox.
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
        // The recording is saved before its message is removed, which hides the recording until then.
        if (bytes) await saveVoice({ id: clientId, accountId, projectId, type: bytes.type, startedAt, ...voice }, bytes);
      }
      const settled = entry?.voice ? outbox.whenSettled(clientId) : null;
      outbox.discard(clientId);
      return settled;
    },
    [client],
  );
}
