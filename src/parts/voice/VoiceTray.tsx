/** Above the text: what has to be said of a recording, and what was recorded but not sent. */
import { CircleAlert, X } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { usePlayerRefusals } from "../../audio/use-player.ts";
import type { VoiceDraft } from "../../audio/voice/drafts.ts";
import { recorder } from "../../audio/voice/recorder-here.ts";
import { isSilent, secondsLeft } from "../../audio/voice/recording.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/messages/voice.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { spokenOf } from "./spoken.ts";
import { useDiscarded, useRecorder, useVoiceDrafts } from "./use-recorder.ts";
import { VoiceDraftCard } from "./VoiceDraftCard.tsx";
import { faultWords, silenceWords } from "./words.ts";

interface Props {
  accountId: number;
  projectId: number;
  /** How a finger or pointer that holds the button stands; null: none does. */
  held: "near" | "away" | null;
  /** A microphone was chosen for the next recording. */
  nextInput: string | null;
  onSend(draft: VoiceDraft): void;
  onAgain(): void;
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

export function VoiceTray({ accountId, projectId, held, nextInput, onSend, onAgain }: Props) {
  useSpoken();
  const fault = useRecorder((recording) => recording.fault);
  const outcome = useRecorder((recording) => recording.outcome);
  const drafts = useVoiceDrafts().filter(({ note }) => note.projectId === projectId && note.accountId === accountId);
  const discarded = useDiscarded();
  const recording = useRecorder(({ phase }) => phase !== "idle");
  const box = useRef<HTMLDivElement>(null);

  // The focus follows the work: from the button that ended it to what can be done with it now.
  const ended = outcome && outcome.why !== "short" && outcome.why !== "left" ? outcome.id : null;
  const [next, setNext] = useState<string | null>(null);
  useEffect(() => setNext(ended), [ended]);
  useEffect(() => {
    if (next !== null) box.current?.querySelector<HTMLElement>(`[data-next="${next}"]`)?.focus({ preventScroll: true });
    setNext(null);
  }, [next]);

  const discard = (id: string) => {
    recorder.discard(id);
    setNext(id);
    announce(t("discarded"));
  };
  const undo = discarded?.note.projectId === projectId ? discarded.note.id : null;
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
        <p className="flex h-8 items-center gap-3 px-1.5 text-sm text-text-2">
          {t("discarded")}
          <Button
            size="sm"
            data-next={undo}
            onClick={() => {
              recorder.restore();
              setNext(undo);
              announce(t("restoredSpoken"));
            }}
          >
            {t("undo")}
          </Button>
        </p>
      )}
      {!recording &&
        drafts.map((draft) => (
          <VoiceDraftCard key={draft.note.id} draft={draft} outcome={outcome} onSend={() => onSend(draft)} onDiscard={() => discard(draft.note.id)} />
        ))}
    </div>
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
