import { useState, type FormEvent, type MouseEvent, type PointerEvent } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { formatBpm } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-tags.ts";
import { useCorrectTags } from "../../../queries/files/use-tags.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { isCorrected } from "../file-info.ts";
import { CorrectionForm } from "./CorrectionForm.tsx";
import { tempoOctaves, parseTempo } from "./tags.ts";
import { MIN_TAPS, tempoFromTaps, type TapSequence } from "./tap-tempo.ts";

interface Props {
  fileId: number;
  info: AudioFileInfo;
  tags: AiTags;
  tapSequence: TapSequence;
  onTap(timeMs: number): void;
  onClose(): void;
}

/** Corrects the tempo by typing, tapping, or taking half or double the value. */
export function TempoForm({ fileId, info, tags, tapSequence, onTap, onClose }: Props) {
  const correctTags = useCorrectTags(fileId);
  const foundBpm = info.bpm || tags.bpm;
  const [input, setInput] = useState(foundBpm > 0 ? String(foundBpm) : "");
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const tappedBpm = tempoFromTaps(tapSequence);
  const { taps } = tapSequence;
  // A new tapped tempo replaces the input, and typing replaces the tapped tempo.
  const [lastTappedBpm, setLastTappedBpm] = useState<number | null>(null);
  if (tappedBpm !== lastTappedBpm) {
    setLastTappedBpm(tappedBpm);
    if (tappedBpm !== null) setInput(String(tappedBpm));
  }
  const bpm = parseTempo(input);
  const isInvalid = bpm === null && (hasSubmitted || input === String(tappedBpm));

  function submit(event: FormEvent) {
    event.preventDefault();
    setHasSubmitted(true);
    if (bpm === null) return;
    const onSaved = () => {
      announce(t("saved", { value: `${formatBpm(bpm)} ${t("bpm")}` }));
      onClose();
    };
    correctTags.mutate({ bpm }, { onSuccess: onSaved });
  }
  const undoCorrection = () =>
    correctTags.mutate(
      { bpm: null },
      {
        onSuccess: () => {
          announce(t("resetDone"));
          onClose();
        },
      },
    );
  return (
    <CorrectionForm
      label={t("correctTempo")}
      onSubmit={submit}
      onClose={onClose}
      isPending={correctTags.isPending}
      error={correctTags.error}
      onUndo={isCorrected(info, "bpm") ? undoCorrection : null}
    >
      <div className="flex items-end gap-2">
        <TextField
          label={t("tempoField")}
          inputMode="decimal"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened the form
          autoFocus={taps.length === 0}
          value={input}
          onChange={setInput}
          className="min-w-0 flex-1"
          aria-invalid={isInvalid || undefined}
        />
        <Button className="h-9!" {...tapHandlers(onTap)}>
          {t("tap")}
          <Kbd>{t("tapKey")}</Kbd>
        </Button>
      </div>
      <p role="status" className="tabular mt-1.5 min-h-4.5 text-sm text-text-2">
        {isInvalid ? (
          <span className="text-danger">{t("tempoInvalid", { min: LIMITS.bpm_min, max: LIMITS.bpm_max })}</span>
        ) : (
          formatTapStatus(taps.length, tappedBpm)
        )}
      </p>
      {bpm !== null && tempoOctaves(bpm).length > 0 && (
        <div role="group" aria-label={t("octaves")} className="mt-1.5 flex gap-1.5">
          {tempoOctaves(bpm).map((octave) => (
            <Button key={octave} size="sm" onClick={() => setInput(String(Math.round(octave * 100) / 100))}>
              {octave < bpm ? "½" : "2×"} <span className="tabular text-text-2">{formatBpm(octave)}</span>
            </Button>
          ))}
        </div>
      )}
    </CorrectionForm>
  );
}

/** Counts the pointer press as the tap, not its release. A keyboard click has no pointer press. */
const tapHandlers = (onTap: (timeMs: number) => void) => ({
  onPointerDown: ({ timeStamp, button }: PointerEvent) => button === 0 && onTap(timeStamp),
  onClick: ({ timeStamp, detail }: MouseEvent) => detail === 0 && onTap(timeStamp),
});

function formatTapStatus(count: number, tappedBpm: number | null): string {
  if (tappedBpm !== null) return t("tapped", { bpm: formatBpm(tappedBpm) });
  return count === 0 ? t("tapFirst") : t("tapMore", { count: MIN_TAPS - count });
}
