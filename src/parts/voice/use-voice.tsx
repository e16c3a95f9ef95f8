/** Connects voice recording to a chat: the button, the strip that replaces the text field, and the tray of drafts. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { voiceFileName } from "../../audio/voice/formats.ts";
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { softCancelReason } from "../../audio/voice/recording.ts";
import { formatAccessibleDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import type { Voice } from "../../queries/outbox/outbox.ts";
import { announce } from "../../ui/announce.ts";
import type { SentRecordings } from "./held-voices.ts";
import { createPressGuard } from "./press.ts";
import { markRecorderUsed, loadRecorderModule, useRecorderModule, hasRecordedBefore, type RecorderModule } from "./use-desk.ts";
import { usePressAndHold } from "./use-hold.ts";
import { VoiceButton } from "./VoiceButton.tsx";

/** A recording to send. */
export interface RecordedVoice {
  id: string;
  takenBack: boolean;
  file: File;
  voice: Voice;
}

interface UseVoiceOptions {
  accountId: number;
  projectId: number;
  /** Reason why files cannot be uploaded here; null if they can. */
  disabledReason: string | null;
  /** Recordings that are messages already. */
  sentRecordings: SentRecordings;
  /** Resolves with whether the recording's bytes are now stored elsewhere. */
  onSend(recorded: RecordedVoice): Promise<boolean>;
}

export interface VoiceControls {
  /** Null if nothing can be recorded. */
  button: ReactNode;
  /** Replaces the text field; null unless recording. */
  strip: ReactNode;
  /** Shown above the text field. */
  tray: ReactNode;
}

const subscribeNever = () => () => {};
function usePhase(recorderModule: RecorderModule | null, accountId: number, projectId: number) {
  return useSyncExternalStore(recorderModule?.recorder.subscribe ?? subscribeNever, () => {
    const state = recorderModule?.recorder.state();
    return state?.owner?.projectId === projectId && state.owner.accountId === accountId ? state.phase : "idle";
  });
}

export function useVoice({ accountId, projectId, disabledReason, sentRecordings, onSend }: UseVoiceOptions): VoiceControls {
  const recorderModule = useRecorderModule();
  const phase = usePhase(recorderModule, accountId, projectId);
  const button = useRef<HTMLButtonElement>(null);
  const [press] = useState(() => createPressGuard(loadRecorderModule));
  const [loadFailed, setLoadFailed] = useState(false);
  const [nextInput, setNextInput] = useState<string | null>(null);
  const owner = useMemo(() => ({ accountId, projectId }), [accountId, projectId]);

  // Shows drafts left by an earlier page; if the code cannot be loaded, the next press reports it.
  useEffect(() => {
    if (hasRecordedBefore()) void loadRecorderModule().catch(() => undefined);
  }, []);
  useEffect(() => () => press.cancel(), [press, owner]);
  // A recording is kept when the view is left.
  useEffect(() => {
    recorderModule?.recorder.openChat(owner);
    return () => recorderModule?.recorder.closeChat(owner);
  }, [recorderModule, owner]);

  const begin = () => {
    setLoadFailed(false);
    setNextInput(null);
    markRecorderUsed();
    // The text field is hidden, so the button receives further keys.
    button.current?.focus({ preventScroll: true });
    press.begin(
      ({ recorder }) => recorder.start(owner),
      () => setLoadFailed(true),
    );
  };
  const cancel = () => {
    press.cancel();
    if (recorderModule) recorderModule.recorder.end(softCancelReason(recorderModule.recorder.state()));
  };
  const { holdState, handlers } = usePressAndHold({ phase, onBegin: begin, onFinish: () => recorderModule?.recorder.end("stopped"), onCancel: cancel });

  const send = ({ metadata, bytes }: VoiceDraft) => {
    const { id, type, startedAt, seconds, wave, takenBack = false } = metadata;
    const file = new File([bytes], voiceFileName(startedAt, type), { type });
    announce(t("announceSending", { duration: formatAccessibleDuration(seconds) }));
    void recorderModule?.recorder.handOver(id, onSend({ id, takenBack, file, voice: { seconds, wave } }));
    // The draft's own send button is removed.
    button.current?.focus({ preventScroll: true });
  };

  const tray = () => {
    if (loadFailed)
      return (
        <p role="alert" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
          {t("notLoaded")}
        </p>
      );
    if (!recorderModule) return null;
    const focusButton = () => button.current?.focus({ preventScroll: true });
    return (
      <recorderModule.VoiceTray
        {...owner}
        sentRecordings={sentRecordings}
        holdState={holdState}
        nextInput={nextInput}
        onSend={send}
        onRetry={begin}
        onFocusLost={focusButton}
      />
    );
  };
  // Where files are no longer accepted, nothing new starts, but a running recording can be finished.
  const canRecord = disabledReason === null || phase !== "idle";
  return {
    button: canRecord ? (
      <VoiceButton
        ref={button}
        phase={phase}
        isHeld={holdState !== null}
        onPointerEnter={() => void loadRecorderModule().catch(() => undefined)}
        {...handlers}
      />
    ) : null,
    strip: recorderModule && phase !== "idle" ? <recorderModule.VoiceStrip onNextInput={setNextInput} /> : null,
    tray: tray(),
  };
}
