/** The forms that correct a detected value. They are not modal, so that the page and its keys keep working. */
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { MUSIC_KEYS, type MusicKey } from "../../../../contract/music-keys.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { formatBpm, formatKey } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/review-tags.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useCorrectTags } from "../../../queries/files/use-file.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { submitTo } from "../../../ui/text-input.ts";
import { isCorrected } from "../file-info.ts";
import { isMusicKey, parseTempo, tempoOctaves } from "./tags.ts";
import { MIN_TAPS, type TapSequence, tempoFromTaps } from "./tap-tempo.ts";

const C_MAJOR: MusicKey = "C major";

interface FormProps {
  fileId: number;
  info: AudioFileInfo;
  tags: AiTags;
  onClose(): void;
}

interface CorrectionFormProps extends FormProps {
  label: string;
  field: "bpm" | "key";
  /** null if the input is invalid. */
  correction: { bpm: number } | { key: MusicKey } | null;
  /** The corrected value, as announced once it is saved. */
  savedValue: string;
  onSubmit?(): void;
  children: ReactNode;
}

/** Renders a correction form below the cards. Escape closes it. */
function CorrectionForm({ fileId, info, onClose, label, field, correction, savedValue, onSubmit, children }: CorrectionFormProps) {
  const { mutate, isPending, error } = useCorrectTags(fileId);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const previousFocus = document.activeElement instanceof HTMLElement && !form.current?.contains(document.activeElement) ? document.activeElement : null;
    form.current?.scrollIntoView({ block: "nearest" });
    const opener = previousFocus ?? form.current?.parentElement?.querySelector<HTMLElement>("[aria-expanded=true]");
    return () => {
      if (document.activeElement === document.body || !document.activeElement) opener?.focus();
    };
  }, []);
  const save = (change: Parameters<typeof mutate>[0], text: string) => {
    const onSuccess = () => {
      announce(text);
      onClose();
    };
    mutate(change, { onSuccess });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handler only closes the form on Escape
    <form
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={submitTo(() => {
        onSubmit?.();
        if (correction) save(correction, t("saved", { value: savedValue }));
      })}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
      className="mt-2 rounded-lg border border-line-strong bg-surface p-3.5"
    >
      {children}
      {error !== null && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {describeError(error).title}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="sm" pending={isPending}>
          {t("save")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          {t("cancel")}
        </Button>
        {isCorrected(info, field) && (
          <Button size="sm" variant="ghost" className="ml-auto" pending={isPending} onClick={() => save({ [field]: null }, t("resetDone"))}>
            {t("resetToDetected")}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Corrects the musical key. The keys that the analysis suggests come first. */
export function KeyForm(props: FormProps) {
  const { info, tags } = props;
  const suggestedKeys = [...tags.key, ...(tags.key_candidates ?? [])].filter(isMusicKey);
  const [key, setKey] = useState<MusicKey>(info.key !== null && isMusicKey(info.key) ? info.key : (suggestedKeys[0] ?? C_MAJOR));
  return (
    <CorrectionForm {...props} label={t("correctKey")} field="key" correction={{ key }} savedValue={formatKey(key)}>
      <Select
        label={t("newKey")}
        autoFocus
        value={key}
        options={[...new Set([...suggestedKeys, ...MUSIC_KEYS])].map((musicKey) => [musicKey, formatKey(musicKey)])}
        onChange={setKey}
      />
    </CorrectionForm>
  );
}

/** Corrects the tempo by typing, tapping, or taking half or double the value. */
export function TempoForm({ tapSequence, onTap, ...props }: FormProps & { tapSequence: TapSequence; onTap(timeMs: number): void }) {
  const { info, tags } = props;
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

  return (
    <CorrectionForm
      {...props}
      label={t("correctTempo")}
      field="bpm"
      correction={bpm === null ? null : { bpm }}
      savedValue={`${formatBpm(bpm ?? 0)} ${t("bpm")}`}
      onSubmit={() => setHasSubmitted(true)}
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
