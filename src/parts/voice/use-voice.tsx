/** Recording in a chat: the button, what stands in place of the text meanwhile, and what was recorded. */
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { fileNameOf } from "../../audio/voice/formats.ts";
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { spokenDuration } from "../../lib/duration.ts";
import { t } from "../../lib/messages/voice-note.ts";
import type { Voice } from "../../queries/outbox/outbox.ts";
import { announce } from "../../ui/announce.ts";
import { noteUse, openDesk, useDesk, wasUsed, type Desk } from "./use-desk.ts";
import { useHold } from "./use-hold.ts";
import { VoiceButton } from "./VoiceButton.tsx";

interface Input {
  accountId: number;
  projectId: number;
  /** Why no files can be brought here; null where they can. */
  off: string | null;
  /** Resolves when the message is kept. */
  onSend(file: File, voice: Voice): Promise<unknown>;
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
function usePhase(desk: Desk | null, projectId: number) {
  return useSyncExternalStore(desk?.recorder.subscribe ?? never, () => {
    const state = desk?.recorder.state();
    return state?.owner?.projectId === projectId ? state.phase : "idle";
  });
}

export function useVoice({ accountId, projectId, off, onSend }: Input): VoiceControls {
  const desk = useDesk();
  const phase = usePhase(desk, projectId);
  const button = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState(false);
  const [nextInput, setNextInput] = useState<string | null>(null);

  const open = () =>
    openDesk().catch(() => {
      setFault(true);
      return null;
    });
  // What an earlier page has left; what is recorded is kept when the view is left.
  const look = useEffectEvent(async () => (await open())?.recorder.look(accountId));
  useEffect(() => {
    if (wasUsed()) void look();
  }, [accountId]);
  useEffect(() => () => void (desk?.recorder.state().owner?.projectId === projectId && desk.recorder.end("left")), [desk, projectId]);

  const begin = () => {
    setFault(false);
    setNextInput(null);
    noteUse();
    // The text is hidden: keys go on here.
    button.current?.focus({ preventScroll: true });
    void open().then((opened) => opened?.recorder.start({ accountId, projectId }));
  };
  const end = (why: "stopped" | "canceled") => desk?.recorder.end(why);
  const { held, handlers } = useHold({ phase, onBegin: begin, onFinish: () => end("stopped"), onCancel: () => end("canceled") });

  const send = (draft: VoiceDraft) => {
    const { id, type, startedAt, seconds, wave } = draft.note;
    const file = new File([draft.bytes], fileNameOf(startedAt, type), { type });
    announce(t("sentSpoken", { duration: spokenDuration(seconds) }));
    void desk?.recorder.handOver(id, onSend(file, { seconds, wave }));
    // Its own button is gone.
    button.current?.focus({ preventScroll: true });
  };

  if (off !== null) return { button: null, strip: null, tray: null };
  return {
    button: <VoiceButton ref={button} phase={phase} held={held !== null} onPointerEnter={() => void open()} {...handlers} />,
    strip: desk && phase !== "idle" ? <desk.VoiceStrip onNextInput={setNextInput} /> : null,
    tray: fault ? (
      <p role="alert" className="px-3 pt-2 text-sm text-danger max-tablet:px-4">
        {t("notLoaded")}
      </p>
    ) : (
      desk && <desk.VoiceTray accountId={accountId} projectId={projectId} held={held} nextInput={nextInput} onSend={send} onAgain={begin} />
    ),
  };
}
