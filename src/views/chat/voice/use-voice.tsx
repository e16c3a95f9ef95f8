/** Connects voice recording to a chat: the button, the strip that replaces the text field, and the tray of drafts. */
import { Mic, Square } from "lucide-react";
import { type ComponentProps, type ReactNode, type Ref, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type Recording, softCancelReason, voiceFileName } from "../../../audio/recorder/recording.ts";
import type { VoiceDraft } from "../../../audio/recorder/voice-drafts.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatAccessibleDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice-note.ts";
import type { Voice } from "../../../sync/outbox/outbox-types.ts";
import { announce } from "../../../ui/announce.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { hasRecordedBefore, loadRecorderModule, markRecorderUsed, type RecorderModule, useRecorderModule } from "./recorder-module.ts";
import type { SentRecordings } from "./sent-recordings.ts";
import { createPressGuard, usePressAndHold } from "./use-press-and-hold.ts";

/** A recording to send. */
export interface RecordedVoice {
  id: string;
  isSendUndone: boolean;
  file: File;
  voice: Voice;
}

interface UseVoiceOptions {
  accountId: number;
  projectId: number;
  /** Why files cannot be uploaded here; null if they can. */
  disabledReason: string | null;
  /** Recordings that have already been sent as messages. */
  sentRecordings: SentRecordings;
  /** Resolves to true once the recording is stored outside the recorder, so that its draft can be deleted. */
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
    return state?.chat?.projectId === projectId && state.chat.accountId === accountId ? state.phase : "idle";
  });
}

export function useVoice({ accountId, projectId, disabledReason, sentRecordings, onSend }: UseVoiceOptions): VoiceControls {
  const recorderModule = useRecorderModule();
  const phase = usePhase(recorderModule, accountId, projectId);
  const button = useRef<HTMLButtonElement>(null);
  const [press] = useState(() => createPressGuard(loadRecorderModule));
  const [hasLoadFailed, setHasLoadFailed] = useState(false);
  const [nextInput, setNextInput] = useState<string | null>(null);
  const chat = useMemo(() => ({ accountId, projectId }), [accountId, projectId]);

  // Loads the recorder to show drafts left by an earlier page. If the code cannot be loaded, the next press shows the error.
  useEffect(() => {
    if (hasRecordedBefore()) void loadRecorderModule().catch(() => undefined);
  }, []);
  useEffect(() => () => press.cancel(), [press, chat]);
  // Leaving the view ends a running recording, which becomes a draft.
  useEffect(() => {
    recorderModule?.recorder.openChat(chat);
    return () => recorderModule?.recorder.closeChat(chat);
  }, [recorderModule, chat]);

  const begin = () => {
    setHasLoadFailed(false);
    setNextInput(null);
    markRecorderUsed();
    // The text field is hidden, so the button receives further keys.
    button.current?.focus({ preventScroll: true });
    press.begin(
      ({ recorder }) => recorder.start(chat),
      () => setHasLoadFailed(true),
    );
  };
  const cancel = () => {
    press.cancel();
    if (recorderModule) recorderModule.recorder.end(softCancelReason(recorderModule.recorder.state()));
  };
  const { holdState, handlers } = usePressAndHold({ phase, onBegin: begin, onFinish: () => recorderModule?.recorder.end("stopped"), onCancel: cancel });

  const send = ({ metadata, bytes }: VoiceDraft) => {
    const { id, type, startedAt, seconds, wave, isSendUndone = false } = metadata;
    const file = new File([bytes], voiceFileName(startedAt, type), { type });
    announce(t("announceSending", { duration: formatAccessibleDuration(seconds) }));
    void recorderModule?.recorder.handOver(id, onSend({ id, isSendUndone, file, voice: { seconds, wave } }));
    // The draft's own send button disappears, so the focus moves.
    button.current?.focus({ preventScroll: true });
  };

  const tray = () => {
    if (hasLoadFailed)
      return (
        <p role="alert" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
          {t("notLoaded")}
        </p>
      );
    if (!recorderModule) return null;
    const focusButton = () => button.current?.focus({ preventScroll: true });
    return (
      <recorderModule.VoiceTray
        {...chat}
        sentRecordings={sentRecordings}
        holdState={holdState}
        nextInput={nextInput}
        onSend={send}
        onRetry={begin}
        onFocusLost={focusButton}
      />
    );
  };
  // While files cannot be uploaded, no recording can be started, but a running one can be finished.
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

interface VoiceButtonProps extends Omit<ComponentProps<"button">, "className"> {
  phase: Recording["phase"];
  isHeld: boolean;
  ref: Ref<HTMLButtonElement>;
}

/** Starts and ends a recording. The button stays the same element in every phase, so that a press can be held. */
function VoiceButton({ phase, isHeld, ...rest }: VoiceButtonProps) {
  const isOn = phase === "recording" || phase === "ending";
  return (
    <IconButton
      {...rest}
      label={t(isOn ? "stop" : phase === "requesting" ? "requestingMicrophone" : "record")}
      className={classNames(
        "touch-none select-none max-tablet:size-9 max-tablet:rounded-full",
        phase !== "idle" && "bg-accent! text-accent-ink! hover:brightness-105",
        phase === "requesting" && "motion-safe:animate-pulse",
        isHeld && "scale-125 rounded-full",
      )}
    >
      {isOn && !isHeld ? <Square size={15} aria-hidden fill="currentColor" /> : <Mic size={19} aria-hidden />}
    </IconButton>
  );
}
