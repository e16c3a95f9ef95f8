/** Giving up a message on its way out. A voice note is nowhere else: it is a draft again. */
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
          if (result === "discarded") announce(t("takenBackSpoken"));
          // It was on its way already.
          if (result === "sent") (await loadRecorderModule()).recorder.forget(clientId);
        },
        () => announce(t("notTakenBack")),
      );
    },
    [cancelMessage],
  );
}
