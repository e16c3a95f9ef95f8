/** Loads the recorder and its components on demand, and turns the recording of a canceled message into a draft again. */
import { useCallback, useSyncExternalStore } from "react";
import { getPersisted, setPersisted } from "../../../lib/local-storage.ts";
import { t } from "../../../lib/texts/voice-note.ts";
import { useCancelMessage } from "../../../sync/outbox/use-voice-messages.ts";
import { announce } from "../../../ui/announce.ts";

/** Set once this browser has recorded, because a draft may still be stored. */
const USED_KEY = "voice-used";

let recorderModule: RecorderModule | null = null;
let loading: Promise<RecorderModule> | undefined;
const listeners = new Set<() => void>();

/** Rejects if the code cannot be loaded; the next call retries. */
export function loadRecorderModule(): Promise<RecorderModule> {
  loading ??= load().then((loaded) => {
    recorderModule = loaded;
    for (const listener of listeners) listener();
    return loaded;
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

export type RecorderModule = Awaited<ReturnType<typeof load>>;

const load = async () => {
  const [{ recorder }, { VoiceStrip }, { VoiceTray }] = await Promise.all([
    import("../../../audio/recorder/page-recorder.ts"),
    import("./VoiceStrip.tsx"),
    import("./VoiceTray.tsx"),
  ]);
  return { recorder, VoiceStrip, VoiceTray };
};

export const hasRecordedBefore = (): boolean => getPersisted(USED_KEY) !== null;
export const markRecorderUsed = (): void => setPersisted(USED_KEY, "1");

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Returns null until the code is loaded. */
export const useRecorderModule = (): RecorderModule | null => useSyncExternalStore(subscribe, () => recorderModule);

/** Discards a message that is waiting or has failed. A voice note becomes a draft again, because there may be no other copy of the recording. */
export function useCancelPendingMessage(): (clientId: string) => void {
  const cancelMessage = useCancelMessage();
  return useCallback(
    (clientId) => {
      const cancellation = cancelMessage(clientId, async (voice, bytes) => (await loadRecorderModule()).recorder.undoSend(voice, bytes));
      cancellation.then(
        async (result) => {
          if (result === "discarded") announce(t("announceMovedToDraft"));
          // The message was sent before it could be canceled, so its draft is deleted.
          if (result === "sent") (await loadRecorderModule()).recorder.remove(clientId);
        },
        () => announce(t("moveToDraftFailed")),
      );
    },
    [cancelMessage],
  );
}
