/** Cancels a message that is being sent; a voice note becomes a draft again, because it exists nowhere else. */
import { useCallback } from "react";
import { t } from "../../lib/messages/voice-note.ts";
import { useCancelMessage } from "../../queries/outbox/use-give-up.ts";
import { announce } from "../../ui/announce.ts";
import { loadRecorderModule } from "./use-desk.ts";

export function useDiscard(): (clientId: string) => void {
  const cancelMessage = useCancelMessage();
  return useCallback(
    (clientId) => {
      const cancellation = cancelMessage(clientId, async (voice, bytes) => (await loadRecorderModule()).recorder.undoSend(voice, bytes));
      cancellation.then(
        async (result) => {
          if (result === "discarded") announce(t("announceMovedToDraft"));
          // The message was already sent.
          if (result === "sent") (await loadRecorderModule()).recorder.forget(clientId);
        },
        () => announce(t("moveToDraftFailed")),
      );
    },
    [cancelMessage],
  );
}
