/** Recording in a chat: the button, what stands in place of the text meanwhile, and what was recorded. */
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

/** What is sent of a recording. */
export interface RecordedVoice {
  id: string;
  takenBack: boolean;
  file: File;
  voice: Voice;
}

interface UseVoiceOptions {
  accountId: number;
  projectId: number;
  /** Why no files can be brought here; null where they can. */
  disabledReason: string | null;
  /** Recordings that are messages already. */
  sentRecordings: SentRecordings;
  /** Answers whether others keep its bytes now. */
  onSend(recorded: RecordedVoice): Promise<boolean>;
}

export interface VoiceControls {
  /** Null where nothing can be recorded. */
  button: ReactNode;
  /** In place of the text; null while nothing is recorded. */
  strip: ReactNode;
  /** Above the text. */
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

  // What an earlier page has left; where its code does not come, the next press says so.
  useEffect(() => {
    if (hasRecordedBefore()) void loadRecorderModule().catch(() => undefined);
  }, []);
  useEffect(() => () => press.cancel(), [press, owner]);
  // What is recorded is kept when the view is left.
  useEffect(() => {
    recorderModule?.recorder.openChat(owner);
    return () => recorderModule?.recorder.closeChat(owner);
  }, [recorderModule, owner]);

  const begin = () => {
    setLoadFailed(false);
    setNextInput(null);
    markRecorderUsed();
    // The text is hidden: keys go on here.
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
    announce(t("sentSpoken", { duration: formatAccessibleDuration(seconds) }));
    void recorderModule?.recorder.handOver(id, onSend({ id, takenBack, file, voice: { seconds, wave } }));
    // Its own button is gone.
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
  // Where no files are taken any more nothing begins; what has begun is brought to its end.
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
