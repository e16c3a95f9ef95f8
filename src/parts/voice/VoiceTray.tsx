/** Above the text: what has to be said of a recording, and what was recorded but not sent. */
import { CircleAlert, X } from "lucide-react";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { usePlayerRefusals } from "../../audio/use-player.ts";
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { recorder } from "../../audio/voice/recorder-here.ts";
import { isSilent, secondsLeft, type Recording } from "../../audio/voice/recording.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/voice.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import type { HeldVoices } from "./held-voices.ts";
import { spokenOf } from "./spoken.ts";
import { useDiscarded, useRecorder, useVoiceDrafts } from "./use-recorder.ts";
import { VoiceDraftCard } from "./VoiceDraftCard.tsx";
import { faultWords, silenceWords } from "./words.ts";

interface Props {
  accountId: number;
  projectId: number;
  messages: HeldVoices;
  /** How a finger or pointer that holds the button stands; null: none does. */
  held: "near" | "away" | null;
  /** A microphone was chosen for the next recording. */
  nextInput: string | null;
  onSend(draft: VoiceDraft): void;
  onAgain(): void;
  /** What had the focus is gone. */
  onFocusLost(): void;
}

/** What ended by itself is listened to first: keys that were meant for a text must not send it. */
const BY_ITSELF: ReadonlySet<string> = new Set(["unplugged", "broken", "limit"]);

/** Nobody is at work elsewhere on the page. */
function isFree(box: HTMLElement): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || (box.closest("form")?.contains(at) ?? false);
}

/** Tells screen readers how the recording goes. */
function useSpoken(): void {
  useEffect(() => {
    let before = recorder.state();
    return recorder.subscribe(() => {
      const text = spokenOf(before, recorder.state());
      before = recorder.state();
      if (text !== null) announce(text);
    });
  }, []);
}

export function VoiceTray({ accountId, projectId, messages, held, nextInput, onSend, onAgain, onFocusLost }: Props) {
  useSpoken();
  const isOurs = (owner: Recording["owner"]) => owner?.accountId === accountId && owner.projectId === projectId;
  const fault = useRecorder((recording) => (isOurs(recording.owner) ? recording.fault : null));
  const outcome = useRecorder((recording) => (isOurs(recording.owner) ? recording.outcome : null));
  const all = useVoiceDrafts();
  const drafts = all.filter(({ note }) => isOurs(note) && !messages.waiting.has(note.id) && !messages.arrived.has(note.id));
  useEffect(() => {
    for (const { note } of all) if (messages.arrived.has(note.id)) recorder.forget(note.id);
  }, [all, messages.arrived]);
  const discarded = useDiscarded();
  const recording = useRecorder(({ phase, owner }) => phase !== "idle" && isOurs(owner));
  const box = useRef<HTMLDivElement>(null);

  // The focus follows the work: from the button that ended it to what can be done with it now.
  const ended = outcome && outcome.why !== "short" && outcome.why !== "left" ? outcome.id : null;
  const byItself = outcome !== null && BY_ITSELF.has(outcome.why);
  const [next, setNext] = useState<string | null>(null);
  useEffect(() => {
    if (ended === null || !box.current || !isFree(box.current)) return;
    if (byItself) box.current.querySelector<HTMLElement>(`[data-card="${ended}"] button`)?.focus({ preventScroll: true });
    else setNext(ended);
  }, [ended, byItself]);

  const discard = (id: string) => {
    recorder.discard(id);
    setNext(id);
    announce(t("discarded"));
  };
  const undo = discarded && isOurs(discarded.note) ? discarded.note.id : null;
  // It may come with a later picture than the wish.
  useEffect(() => {
    const target = next !== null && box.current?.querySelector<HTMLElement>(`[data-next="${next}"]`);
    if (!target) return;
    if (isFree(box.current!)) target.focus({ preventScroll: true });
    setNext(null);
  }, [next, drafts, undo]);
  const isShort = outcome?.why === "short";
  if (!recording && fault === null && drafts.length === 0 && undo === null && !isShort) return null;
  return (
    <div ref={box} className="flex max-h-72 flex-col gap-1.5 overflow-y-auto px-2 pt-2 empty:hidden max-tablet:px-3 max-tablet:pt-3">
      {recording && <Hints held={held} nextInput={nextInput} />}
      {fault !== null && (
        <Told alarm onClose={recorder.dismiss}>
          <span className="min-w-0 flex-1 basis-60">{faultWords(fault)}</span>
          {fault !== "insecure" && fault !== "unsupported" && (
            <Button size="sm" onClick={onAgain}>
              {t("again")}
            </Button>
          )}
        </Told>
      )}
      {isShort && <Told onClose={recorder.dismiss}>{t("short")}</Told>}
      {undo !== null && !recording && (
        <Undo
          key={undo}
          id={undo}
          onFocusLost={onFocusLost}
          onUndo={() => {
            recorder.restore();
            setNext(undo);
            announce(t("restoredSpoken"));
          }}
        />
      )}
      {!recording &&
        drafts.map((draft) => (
          <VoiceDraftCard key={draft.note.id} draft={draft} outcome={outcome} onSend={() => onSend(draft)} onDiscard={() => discard(draft.note.id)} />
        ))}
    </div>
  );
}

/** Goes by itself after a moment. */
function Undo({ id, onUndo, onFocusLost }: { id: string; onUndo(): void; onFocusLost(): void }) {
  const box = useRef<HTMLParagraphElement>(null);
  const lost = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const here = box.current!;
    return () => {
      if (here.contains(document.activeElement)) lost();
    };
  }, []);
  return (
    <p ref={box} className="flex h-8 items-center gap-3 px-1.5 text-sm text-text-2">
      {t("discarded")}
      <Button size="sm" data-next={id} onClick={onUndo}>
        {t("undo")}
      </Button>
    </p>
  );
}

function Told({ alarm = false, onClose, children }: { alarm?: boolean; onClose(): void; children: ReactNode }) {
  return (
    <div role={alarm ? "alert" : undefined} className={classes("flex items-center gap-2 px-1.5 text-sm", alarm ? "text-danger" : "text-text-2")}>
      {alarm && <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 self-start" />}
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
      <IconButton label={t("dismiss")} className="size-7" onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

/** One line at a time, the most urgent first. */
function Hints({ held, nextInput }: { held: Props["held"]; nextInput: string | null }) {
  const silent = useRecorder(isSilent);
  const left = useRecorder(secondsLeft);
  const kept = useRecorder((recording) => recording.kept);
  const device = useRecorder((recording) => recording.device);
  const missing = useRecorder((recording) => recording.missing);
  const refused = usePlayerRefusals();
  const [before] = useState(refused);
  const wasRefused = refused > before;
  useEffect(() => {
    if (wasRefused) announce(t("refused"));
  }, [wasRefused, refused]);
  const words = (() => {
    if (held !== null) return t(held === "away" ? "away" : "holding");
    if (!kept) return t("unkept");
    if (left !== null) return t("left", { count: left });
    if (silent) return silenceWords(device);
    if (wasRefused) return t("refused");
    if (nextInput !== null) return t("nextInput", { device: nextInput });
    return missing ? t("missing", { device }) : null;
  })();
  if (words === null) return null;
  return <p className={classes("px-1.5 text-sm", held === null && (silent || !kept) ? "text-danger" : "text-text-2")}>{words}</p>;
}
