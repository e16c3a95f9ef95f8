/** Recording in a chat: the button, what stands in place of the text meanwhile, and what was recorded. */
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { fileNameOf } from "../../audio/voice/formats.ts";
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { slipEnding } from "../../audio/voice/recording.ts";
import { spokenDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import type { Voice } from "../../queries/outbox/outbox.ts";
import { announce } from "../../ui/announce.ts";
import type { HeldVoices } from "./held-voices.ts";
import { createPress } from "./press.ts";
import { noteUse, openDesk, useDesk, wasUsed, type Desk } from "./use-desk.ts";
import { useHold } from "./use-hold.ts";
import { VoiceButton } from "./VoiceButton.tsx";

/** What is sent of a recording. */
export interface Recorded {
  id: string;
  takenBack: boolean;
  file: File;
  voice: Voice;
}

interface Input {
  accountId: number;
  projectId: number;
  /** Why no files can be brought here; null where they can. */
  off: string | null;
  /** Recordings that are messages already. */
  held: HeldVoices;
  /** Answers whether others keep its bytes now. */
  onSend(recorded: Recorded): Promise<boolean>;
}

export interface VoiceControls {
  /** Null where nothing can be recorded. */
  button: ReactNode;
  /** In place of the text; null while nothing is recorded. */
  strip: ReactNode;
  /** Above the text. */
  tray: ReactNode;
}

const never = () => () => {};
function usePhase(desk: Desk | null, accountId: number, projectId: number) {
  return useSyncExternalStore(desk?.recorder.subscribe ?? never, () => {
    const state = desk?.recorder.state();
    return state?.owner?.projectId === projectId && state.owner.accountId === accountId ? state.phase : "idle";
  });
}

export function useVoice({ accountId, projectId, off, held: messages, onSend }: Input): VoiceControls {
  const desk = useDesk();
  const phase = usePhase(desk, accountId, projectId);
  const button = useRef<HTMLButtonElement>(null);
  const [press] = useState(() => createPress(openDesk));
  const [fault, setFault] = useState(false);
  const [nextInput, setNextInput] = useState<string | null>(null);
  const owner = useMemo(() => ({ accountId, projectId }), [accountId, projectId]);

  // What an earlier page has left; where its code does not come, the next press says so.
  useEffect(() => {
    if (wasUsed()) void openDesk().catch(() => undefined);
  }, []);
  useEffect(() => () => press.takeBack(), [press, owner]);
  // What is recorded is kept when the view is left.
  useEffect(() => {
    desk?.recorder.look(owner);
    return () => desk?.recorder.leave(owner);
  }, [desk, owner]);

  const begin = () => {
    setFault(false);
    setNextInput(null);
    noteUse();
    // The text is hidden: keys go on here.
    button.current?.focus({ preventScroll: true });
    press.begin(
      ({ recorder }) => recorder.start(owner),
      () => setFault(true),
    );
  };
  const cancel = () => {
    press.takeBack();
    if (desk) desk.recorder.end(slipEnding(desk.recorder.state()));
  };
  const { held, handlers } = useHold({ phase, onBegin: begin, onFinish: () => desk?.recorder.end("stopped"), onCancel: cancel });

  const send = ({ note, bytes }: VoiceDraft) => {
    const { id, type, startedAt, seconds, wave, takenBack = false } = note;
    const file = new File([bytes], fileNameOf(startedAt, type), { type });
    announce(t("sentSpoken", { duration: spokenDuration(seconds) }));
    void desk?.recorder.handOver(id, onSend({ id, takenBack, file, voice: { seconds, wave } }));
    // Its own button is gone.
    button.current?.focus({ preventScroll: true });
  };

  const tray = () => {
    if (fault)
      return (
        <p role="alert" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
          {t("notLoaded")}
        </p>
      );
    if (!desk) return null;
    const focusButton = () => button.current?.focus({ preventScroll: true });
    return <desk.VoiceTray {...owner} messages={messages} held={held} nextInput={nextInput} onSend={send} onAgain={begin} onFocusLost={focusButton} />;
  };
  // Where no files are taken any more nothing begins; what has begun is brought to its end.
  const can = off === null || phase !== "idle";
  return {
    button: can ? (
      <VoiceButton ref={button} phase={phase} held={held !== null} onPointerEnter={() => void openDesk().catch(() => undefined)} {...handlers} />
    ) : null,
    strip: desk && phase !== "idle" ? <desk.VoiceStrip onNextInput={setNextInput} /> : null,
    tray: tray(),
  };
}
