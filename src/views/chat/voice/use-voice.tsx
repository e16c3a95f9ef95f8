/** Connects voice recording to a chat: the button, the strip that replaces the text field, and the tray of drafts. */
import { Mic, Square } from "lucide-react";
import { type ComponentProps, type Ref, useEffect, useMemo, useRef, useState } from "react";
import { useRecorder, useRecording, useVoiceDrafts } from "../../../audio/recorder/use-recorder.ts";
import { type Recording, softCancelReason, voiceFileName } from "../../../audio/recorder/recording.ts";
import { classNames } from "../../../lib/class-names.ts";
import { formatAccessibleDuration } from "../../../lib/format.ts";
import { getPersisted, setPersisted } from "../../../lib/local-storage.ts";
import { useClient } from "../../../client/client.ts";
import { t } from "../../../lib/texts/voice.ts";
import { cancelMessage, type VoiceNote } from "../../../sync/outbox/use-voice-messages.ts";
import { announce } from "../../../ui/announce.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { SentRecordings } from "./sent-recordings.ts";
import { usePressAndHold } from "./use-press-and-hold.ts";
import { VoiceStrip } from "./VoiceStrip.tsx";
import { VoiceTray } from "./VoiceTray.tsx";

export type RecordedVoice = Omit<VoiceNote, "accountId" | "projectId" | "quote">;

/** Resolves to true once the recording is stored outside the recorder, so that its draft can be deleted. */
export type SendVoice = (recorded: RecordedVoice) => Promise<boolean>;

interface UseVoiceOptions {
  accountId: number;
  projectId: number;
  /** Why files cannot be uploaded here; null if they can. */
  disabledReason: string | null;
  /** Recordings that have already been sent as messages. */
  sentRecordings: SentRecordings;
  /** Focuses the button that sends the message. */
  focusSend(): void;
}

/** Set once this browser has recorded, because a draft may still be stored. */
const USED_KEY = "voice-used";

export function useVoice({ accountId, projectId, disabledReason, sentRecordings, focusSend }: UseVoiceOptions) {
  const recorder = useRecorder();
  const phase = useRecording(({ chat, phase: current }) => (chat?.projectId === projectId && chat.accountId === accountId ? current : "idle"));
  const button = useRef<HTMLButtonElement>(null);
  const [nextInput, setNextInput] = useState<string | null>(null);
  const chat = useMemo(() => ({ accountId, projectId }), [accountId, projectId]);

  // Leaving the view ends a running recording, which becomes a draft.
  useEffect(() => {
    if (getPersisted(USED_KEY) !== null) recorder.openChat(chat);
    return () => recorder.closeChat(chat);
  }, [recorder, chat]);

  const begin = () => {
    setNextInput(null);
    setPersisted(USED_KEY, "1");
    // The text field is hidden, so the button receives further keys.
    button.current?.focus({ preventScroll: true });
    recorder.start(chat);
  };
  const cancel = () => recorder.end(softCancelReason(recorder.state()));
  const { holdState, handlers } = usePressAndHold({ phase, onBegin: begin, onFinish: () => recorder.end("stopped"), onCancel: cancel });

  const drafts = useVoiceDrafts().filter(
    ({ metadata: { id, ...chatOfDraft } }) =>
      chatOfDraft.accountId === accountId && chatOfDraft.projectId === projectId && !sentRecordings.pending.has(id) && !sentRecordings.delivered.has(id),
  );
  /** Sends every recording as a message, the first one with `body`. Resolves once that is stored outside the recorder, or is a draft again. */
  const send = async (body: string, onSend: SendVoice): Promise<void> => {
    const results = drafts.map(({ metadata, bytes }, index) => {
      const { id, type, startedAt, seconds, wave, isSendUndone = false } = metadata;
      const file = new File([bytes], voiceFileName(startedAt, type), { type });
      announce(t("announceSending", { duration: formatAccessibleDuration(seconds) }));
      const stored = onSend({ id, isSendUndone, file, voice: { seconds, wave }, body: index === 0 ? body : "" });
      void recorder.handOver(id, stored);
      return stored;
    });
    await results[0];
  };

  // While files cannot be uploaded, no recording can be started, but a running one can be finished.
  const canRecord = disabledReason === null || phase !== "idle";
  return {
    /** Unsent recordings of this chat, which the tray shows. */
    drafts,
    send,
    /** Null if nothing can be recorded. */
    button: canRecord ? <VoiceButton ref={button} phase={phase} isHeld={holdState !== null} {...handlers} /> : null,
    /** Replaces the text field; null unless recording. */
    strip: phase === "idle" ? null : <VoiceStrip onNextInput={setNextInput} />,
    /** Shown above the text field. */
    tray: (
      <VoiceTray
        {...chat}
        drafts={drafts}
        sentRecordings={sentRecordings}
        holdState={holdState}
        nextInput={nextInput}
        focusSend={focusSend}
        onRetry={begin}
        onFocusLost={() => button.current?.focus({ preventScroll: true })}
      />
    ),
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

/** Discards a message that is waiting or has failed. A voice note becomes a draft again with its text, because there may be no other copy of the recording. */
export function useCancelPendingMessage(restoreText: (body: string) => void): (clientId: string) => void {
  const client = useClient();
  const recorder = useRecorder();
  return (clientId) => {
    const body = client.outbox.entries().find((entry) => entry.clientId === clientId)?.body ?? "";
    void cancelMessage(client, clientId, recorder.undoSend).then(
      (result) => {
        if (result === "discarded") announce(t("announceMovedToDraft"));
        if (result === "discarded" && body !== "") restoreText(body);
        // The message was sent before it could be canceled, so its draft is deleted.
        if (result === "sent") recorder.remove(clientId);
      },
      () => announce(t("moveToDraftFailed")),
    );
  };
}
