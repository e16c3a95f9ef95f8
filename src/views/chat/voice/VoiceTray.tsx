/** Shows hints about the recording and unsent recordings above the text field. */
import { CircleAlert } from "lucide-react";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { usePlayerValue } from "../../../audio/player/use-player.ts";
import { useDiscardedDraft, useRecorder, useRecording, useVoiceDrafts } from "../../../audio/recorder/use-recorder.ts";
import { isSilent, secondsUntilLimit, type Recording } from "../../../audio/recorder/recording.ts";
import type { VoiceDraft } from "../../../audio/recorder/voice-drafts.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/voice.ts";
import { useRestoreVoiceUploads } from "../../../sync/outbox/use-voice-messages.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CloseButton } from "../../../ui/IconButton.tsx";
import { formatMicrophoneError, formatSilence, recordingAnnouncement } from "./recording-labels.ts";
import type { SentRecordings } from "./sent-recordings.ts";
import { VoiceDraftCard } from "./VoiceCard.tsx";

interface Props {
  accountId: number;
  projectId: number;
  /** Unsent recordings of this chat. */
  drafts: readonly VoiceDraft[];
  sentRecordings: SentRecordings;
  /** Where a press that holds the microphone button is: near it, or dragged away to cancel; null without such a press. */
  holdState: "near" | "away" | null;
  /** Name of a microphone chosen for the next recording. */
  nextInput: string | null;
  /** Focuses the button that sends the recordings. */
  focusSend(): void;
  onRetry(): void;
  /** Called when the focused element was removed. */
  onFocusLost(): void;
}

/** Reasons for which a recording ends by itself. Its play button then gets the focus instead of Send, so that keys typed as text do not send it. */
const AUTOMATIC_ENDINGS: ReadonlySet<string> = new Set(["unplugged", "broken", "limit"]);

/** Returns whether the focus can be moved without interrupting the user: nothing has it, or an element of this form has it. */
function isFocusFree(box: HTMLElement): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || (box.closest("form")?.contains(active) ?? false);
}

function useRecordingAnnouncements(): void {
  const recorder = useRecorder();
  useEffect(() => {
    let before = recorder.state();
    return recorder.subscribe(() => {
      const text = recordingAnnouncement(before, recorder.state());
      before = recorder.state();
      if (text !== null) announce(text);
    });
  }, [recorder]);
}

export function VoiceTray({ accountId, projectId, drafts, sentRecordings, holdState, nextInput, focusSend, onRetry, onFocusLost }: Props) {
  const recorder = useRecorder();
  useRecordingAnnouncements();
  const isThisChat = (chat: Recording["chat"]) => chat?.accountId === accountId && chat.projectId === projectId;
  const error = useRecording((recording) => (isThisChat(recording.chat) ? recording.error : null));
  const outcome = useRecording((recording) => (isThisChat(recording.chat) ? recording.outcome : null));
  const allDrafts = useVoiceDrafts();
  useEffect(() => {
    for (const { metadata } of allDrafts) if (sentRecordings.delivered.has(metadata.id)) recorder.remove(metadata.id);
  }, [recorder, allDrafts, sentRecordings.delivered]);
  useRestoreVoiceUploads(allDrafts);
  const discarded = useDiscardedDraft();
  const isRecording = useRecording(({ phase, chat }) => phase !== "idle" && isThisChat(chat));
  const box = useRef<HTMLDivElement>(null);

  // The focus moves from the button that ended the recording to the next action on the recording.
  const endedId = outcome && outcome.reason !== "short" && outcome.reason !== "closed" ? outcome.id : null;
  const hasEndedAutomatically = outcome !== null && AUTOMATIC_ENDINGS.has(outcome.reason);
  const [focusId, setFocusId] = useState<string | null>(null);
  useEffect(() => {
    if (endedId === null || !box.current || !isFocusFree(box.current)) return;
    if (hasEndedAutomatically) box.current.querySelector<HTMLElement>(`[data-card="${endedId}"] button`)?.focus({ preventScroll: true });
    else setFocusId(endedId);
  }, [endedId, hasEndedAutomatically]);

  const moveFocusToSend = useEffectEvent(focusSend);
  const discard = (id: string) => {
    recorder.discard(id);
    setFocusId(id);
    announce(t("discarded"));
  };
  const undoId = discarded && isThisChat(discarded.metadata) ? discarded.metadata.id : null;
  // The element to focus may be rendered only after the focus is requested.
  useEffect(() => {
    const undo = focusId !== null && box.current?.querySelector<HTMLElement>(`[data-undo="${focusId}"]`);
    const isDraft = drafts.some(({ metadata }) => metadata.id === focusId);
    if (!box.current || (!undo && !isDraft)) return;
    if (isFocusFree(box.current)) {
      if (undo) undo.focus({ preventScroll: true });
      else moveFocusToSend();
    }
    setFocusId(null);
  }, [focusId, drafts, undoId]);
  const isShort = outcome?.reason === "short";
  if (!isRecording && error === null && drafts.length === 0 && undoId === null && !isShort) return null;
  return (
    <div ref={box} className="flex max-h-72 flex-col gap-1.5 overflow-y-auto px-2 pt-2 empty:hidden max-tablet:px-3 max-tablet:pt-3">
      {isRecording && <RecordingHints holdState={holdState} nextInput={nextInput} />}
      {error !== null && (
        <InlineNotice isError onClose={recorder.dismiss}>
          <span className="min-w-0 flex-1 basis-60">{formatMicrophoneError(error)}</span>
          {error !== "insecure" && error !== "unsupported" && (
            <Button size="sm" onClick={onRetry}>
              {t("retry")}
            </Button>
          )}
        </InlineNotice>
      )}
      {isShort && <InlineNotice onClose={recorder.dismiss}>{t("tooShort")}</InlineNotice>}
      {undoId !== null && !isRecording && (
        <UndoRow
          key={undoId}
          id={undoId}
          onFocusLost={onFocusLost}
          onUndo={() => {
            recorder.restore();
            setFocusId(undoId);
            announce(t("restored"));
          }}
        />
      )}
      {!isRecording &&
        drafts.map((draft) => <VoiceDraftCard key={draft.metadata.id} draft={draft} outcome={outcome} onDiscard={() => discard(draft.metadata.id)} />)}
    </div>
  );
}

/** Offers to undo a discarded recording until the recorder deletes the recording. */
function UndoRow({ id, onUndo, onFocusLost }: { id: string; onUndo(): void; onFocusLost(): void }) {
  const box = useRef<HTMLParagraphElement>(null);
  const handleFocusLost = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const element = box.current!;
    return () => {
      if (element.contains(document.activeElement)) handleFocusLost();
    };
  }, []);
  return (
    <p ref={box} className="flex h-8 items-center gap-3 px-1.5 text-sm text-text-2">
      {t("discarded")}
      <Button size="sm" data-undo={id} onClick={onUndo}>
        {t("undo")}
      </Button>
    </p>
  );
}

function InlineNotice({ isError = false, onClose, children }: { isError?: boolean; onClose(): void; children: ReactNode }) {
  return (
    <div role={isError ? "alert" : undefined} className={classNames("flex items-center gap-2 px-1.5 text-sm", isError ? "text-danger" : "text-text-2")}>
      {isError && <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 self-start" />}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
      <CloseButton label={t("dismiss")} className="size-7" onClick={onClose} />
    </div>
  );
}

/** Shows one hint at a time, the most urgent first. */
function RecordingHints({ holdState, nextInput }: { holdState: Props["holdState"]; nextInput: string | null }) {
  const isInputSilent = useRecording(isSilent);
  const remainingSeconds = useRecording(secondsUntilLimit);
  const isPersisted = useRecording((recording) => recording.isPersisted);
  const device = useRecording((recording) => recording.device);
  const isFallbackInput = useRecording((recording) => recording.isFallbackInput);
  const refusedPlayCount = usePlayerValue((state) => state.refusedPlayCount);
  const [before] = useState(refusedPlayCount);
  const wasRefused = refusedPlayCount > before;
  useEffect(() => {
    if (wasRefused) announce(t("playbackBlocked"));
  }, [wasRefused, refusedPlayCount]);
  const text = (() => {
    if (holdState !== null) return t(holdState === "away" ? "releaseToCancel" : "releaseToStop");
    if (!isPersisted) return t("notPersisted");
    if (remainingSeconds !== null) return t("stopsIn", { count: remainingSeconds });
    if (isInputSilent) return formatSilence(device);
    if (wasRefused) return t("playbackBlocked");
    if (nextInput !== null) return t("nextInput", { device: nextInput });
    return isFallbackInput ? t("fallbackInput", { device }) : null;
  })();
  if (text === null) return null;
  return <p className={classNames("px-1.5 text-sm", holdState === null && (isInputSilent || !isPersisted) ? "text-danger" : "text-text-2")}>{text}</p>;
}
