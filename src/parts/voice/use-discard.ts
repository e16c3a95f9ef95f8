/** Giving up a message on its way out. A voice note is nowhere else: it is a draft again. */
import { useCallback } from "react";
import { t } from "../../lib/messages/voice-note.ts";
import { useGiveUp } from "../../queries/outbox/use-give-up.ts";
import { announce } from "../../ui/announce.ts";
import { openDesk } from "./use-desk.ts";

export function useDiscard(): (clientId: string) => void {
  const giveUp = useGiveUp();
  return useCallback(
    (clientId) => {
      const ended = giveUp(clientId, async (voice, bytes) => (await openDesk()).recorder.takeBack(voice, bytes));
      ended.then(
        async (how) => {
          if (how === "discarded") announce(t("takenBackSpoken"));
          // It was on its way already.
          if (how === "sent") (await openDesk()).recorder.forget(clientId);
        },
        () => announce(t("notTakenBack")),
      );
    },
    [giveUp],
  );
}
