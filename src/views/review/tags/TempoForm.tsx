import { useState, type FormEvent, type MouseEvent, type PointerEvent } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { useCorrectTags } from "../../../queries/files/use-tags.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { isCorrected } from "../model/info.ts";
import { STEADY_AFTER, tempoOfTaps, type Tapping } from "../model/tap-tempo.ts";
import { bpmInWords, octavesOf, tempoFrom } from "../model/tags.ts";
import { Correction } from "./Correction.tsx";

interface Props {
  fileId: number;
  info: AudioFileInfo;
  tags: AiTags;
  tapping: Tapping;
  onTap(at: number): void;
  onClose(): void;
}

/** The tempo by hand: typed, tapped, or half and double of what was found. */
export function TempoForm({ fileId, info, tags, tapping, onTap, onClose }: Props) {
  const correct = useCorrectTags(fileId);
  const found = info.bpm || tags.bpm;
  const [typed, setTyped] = useState(found > 0 ? String(found) : "");
  const [tried, setTried] = useState(false);
  const tapped = tempoOfTaps(tapping);
  const { taps } = tapping;
  // What was tapped last holds, until something is typed.
  const [seen, setSeen] = useState<number | null>(null);
  if (tapped !== seen) {
    setSeen(tapped);
    if (tapped !== null) setTyped(String(tapped));
  }
  const bpm = tempoFrom(typed);
  const wrong = bpm === null && (tried || typed === String(tapped));

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (bpm === null) return;
    const told = () => {
      announce(t("saved", { value: `${bpmInWords(bpm)} ${t("bpm")}` }));
      onClose();
    };
    correct.mutate({ bpm }, { onSuccess: told });
  }
  const takeBack = () =>
    correct.mutate(
      { bpm: null },
      {
        onSuccess: () => {
          announce(t("taken"));
          onClose();
        },
      },
    );
  return (
    <Correction
      label={t("correctTempo")}
      onSubmit={submit}
      onClose={onClose}
      pending={correct.isPending}
      error={correct.error}
      onTakeBack={isCorrected(info, "bpm") ? takeBack : null}
    >
      <div className="flex items-end gap-2">
        <TextField
          label={t("tempoIn")}
          inputMode="decimal"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens where its button was pressed
          autoFocus={taps.length === 0}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className="min-w-0 flex-1"
          aria-invalid={wrong || undefined}
        />
        <Button className="h-9!" {...pressed(onTap)}>
          {t("tap")}
          <Kbd>{t("tapKey")}</Kbd>
        </Button>
      </div>
      <p role="status" className="tabular mt-1.5 min-h-4.5 text-sm text-text-2">
        {wrong ? <span className="text-danger">{t("tempoFault", { min: LIMITS.bpm_min, max: LIMITS.bpm_max })}</span> : tapWords(taps.length, tapped)}
      </p>
      {bpm !== null && octavesOf(bpm).length > 0 && (
        <div role="group" aria-label={t("octaves")} className="mt-1.5 flex gap-1.5">
          {octavesOf(bpm).map((one) => (
            <Button key={one} size="sm" onClick={() => setTyped(String(Math.round(one * 100) / 100))}>
              {one < bpm ? "½" : "2×"} <span className="tabular text-text-2">{bpmInWords(one)}</span>
            </Button>
          ))}
        </div>
      )}
    </Correction>
  );
}

/** The beat is where a finger comes down, not where it leaves; a key has only its press. */
const pressed = (tap: (at: number) => void) => ({
  onPointerDown: ({ timeStamp, button }: PointerEvent) => button === 0 && tap(timeStamp),
  onClick: ({ timeStamp, detail }: MouseEvent) => detail === 0 && tap(timeStamp),
});

function tapWords(count: number, tapped: number | null): string {
  if (tapped !== null) return t("tapped", { bpm: bpmInWords(tapped) });
  return count === 0 ? t("tapFirst") : t("tapMore", { count: STEADY_AFTER - count });
}
