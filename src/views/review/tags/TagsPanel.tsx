import { Pencil, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { AiTags, AudioFileInfo, FileCommon, FileInfoResponse } from "../../../../contract/records.ts";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/review-tags.ts";
import { describeError } from "../../../queries/describe-error.ts";
import { useProcessingPercent } from "../../../queries/files/cache-updates.ts";
import { isProcessing } from "../../../queries/files/file-updates.ts";
import { useRegenerateTags } from "../../../queries/files/use-file.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useOptionalSession } from "../../../queries/session.ts";
import { UnsureMark } from "../../../components/UnsureMark.tsx";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { isShortcutAllowed, NON_TEXT_INPUTS, useDocumentKeydown } from "../../../ui/use-document-keydown.ts";
import { formatSigned } from "../facts/audio-facts.ts";
import { loudnessOf, versionOf } from "../file-info.ts";
import { KeyForm, TempoForm } from "./CorrectionForms.tsx";
import { describeKey, describeTags, describeTempo, INSTALL_COMMAND, type MeasuredValue, type TagList } from "./tags.ts";
import { addTap, NO_TAPS } from "./tap-tempo.ts";

/** Renders detected tags, corrections, and the reason for each empty list. */
export function TagsPanel({ info, trackController }: { info: FileInfoResponse; trackController: TrackController | null }) {
  const { ai_tags: tags, common } = info;
  const isBeingProcessed = isProcessing(common.transcoding_status);
  const audio = info.file_info as AudioFileInfo;
  const canCorrectTags = useCan("file.tags");
  const [editedField, setEditedField] = useState<"bpm" | "key" | null>(null);
  const [tapSequence, setTapSequence] = useState(NO_TAPS);
  const { integrated, truePeak } = loudnessOf(audio);
  const toggleForm = (field: "bpm" | "key") => {
    setTapSequence(NO_TAPS);
    setEditedField(editedField === field ? null : field);
  };
  const handleTap = (timeMs: number) => {
    const playback = trackController?.state();
    setTapSequence((current) => addTap(current, timeMs, playback?.isPlaying ? playback.rate : 1));
  };
  const formProps = { fileId: common.id, info: audio, tags, onClose: () => setEditedField(null) };
  useTapKey(canCorrectTags, handleTap, () => setEditedField("bpm"));
  return (
    <section aria-labelledby="tags" className="border-b border-line px-4 py-5 tablet:px-5">
      <h2 id="tags" className="font-semibold">
        {t("tags")}
      </h2>
      <dl className="mt-3 grid grid-cols-2 gap-2 tablet:grid-cols-3 desktop:grid-cols-2">
        <EditableValue
          name={t("tempo")}
          measured={describeTempo(tags, audio, isBeingProcessed)}
          edit={canCorrectTags ? { label: t("correctTempo"), isOpen: editedField === "bpm", onPress: () => toggleForm("bpm") } : null}
        />
        <EditableValue
          name={t("key")}
          measured={describeKey(tags, audio, isBeingProcessed)}
          edit={canCorrectTags ? { label: t("correctKey"), isOpen: editedField === "key", onPress: () => toggleForm("key") } : null}
        />
        {integrated !== null && (
          <EditableValue
            name={t("loudness")}
            measured={{
              value: formatSigned(integrated),
              unit: "LUFS",
              note: truePeak === null ? null : t("truePeak", { peak: formatSigned(truePeak) }),
              corrected: null,
            }}
            edit={null}
            className="max-tablet:col-span-2 desktop:col-span-2"
          />
        )}
      </dl>
      {editedField === "bpm" && <TempoForm {...formProps} tapSequence={tapSequence} onTap={handleTap} />}
      {editedField === "key" && <KeyForm {...formProps} />}
      <Tags tags={tags} isBeingProcessed={isBeingProcessed} />
      <RegenerateTags common={common} />
    </section>
  );
}

function Tags({ tags, isBeingProcessed }: { tags: AiTags; isBeingProcessed: boolean }) {
  const isOwner = useOptionalSession()?.role === "owner";
  const lists = describeTags(tags, { isProcessing: isBeingProcessed, isOwner });
  if (typeof lists !== "string") return lists.map((list) => <TagBars key={list.name} list={list} />);
  const [before = "", after] = lists.split(INSTALL_COMMAND);
  return (
    <p className="mt-5 text-sm text-text-2">
      {before}
      {after !== undefined && <code className="rounded-sm bg-surface px-1 py-0.5 font-mono text-xs break-words text-text">{INSTALL_COMMAND}</code>}
      {after}
    </p>
  );
}

/** Runs the tag analysis again and shows its progress here, where the user started it. */
function RegenerateTags({ common }: { common: FileCommon }) {
  const canProcess = useCan("file.process");
  const { mutate, isPending, isSuccess, error } = useRegenerateTags();
  const percent = useProcessingPercent(common.id, versionOf(common) ?? 0);
  if (isProcessing(common.transcoding_status)) {
    return <p className="tabular mt-5 text-sm text-text-2">{percent === undefined ? t("analyzing") : t("analyzingPercent", { percent })}</p>;
  }
  if (!canProcess) return null;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button icon={RefreshCw} size="sm" pending={isPending} onClick={() => mutate(common.id)}>
        {t("reanalyze")}
      </Button>
      <span role="status" className="text-sm text-text-2">
        {t(isSuccess ? "analyzed" : "reanalyzeHelp")}
      </span>
      {error && (
        <p role="alert" className="w-full text-sm text-danger">
          {describeError(error).title}
        </p>
      )}
    </div>
  );
}

interface EditableValueProps {
  name: string;
  measured: MeasuredValue;
  /** Opens the correction form; null if the value cannot be corrected. */
  edit: { label: string; isOpen: boolean; onPress(): void } | null;
  className?: string;
}

function EditableValue({ name, measured: { value, isUnsure = false, unit, note, corrected }, edit, className }: EditableValueProps) {
  return (
    <div className={classNames("relative rounded-lg border border-line bg-surface px-3.5 py-2.5", className)}>
      <dt className="text-sm text-text-2">{name}</dt>
      <dd>
        {value !== null && (
          <bdi className={classNames("text-lg font-semibold", isUnsure && "text-text-2")}>
            {value}
            {isUnsure && <UnsureMark />}
          </bdi>
        )}
        {unit !== null && <span className="text-sm text-text-2"> {unit}</span>}
        {corrected !== null && (
          <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-text-2">
            <span className="rounded-full bg-accent-soft px-1.5 font-medium text-accent-text">{t("corrected")}</span>
            {corrected}
          </span>
        )}
        {note !== null && <span className="block text-xs text-text-2">{note}</span>}
        {edit && (
          <IconButton label={edit.label} icon={Pencil} iconSize={14} aria-expanded={edit.isOpen} onClick={edit.onPress} className="absolute top-1 right-1" />
        )}
      </dd>
    </div>
  );
}

/** Renders a list of tags with their scores, or the reason why it is empty. */
function TagBars({ list: { name, tags, emptyReason } }: { list: TagList }) {
  return (
    <div className="mt-5">
      <h3 className="text-sm font-medium text-text-2">{name}</h3>
      {emptyReason && <p className="mt-1 text-sm text-text-2">{emptyReason}</p>}
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {tags.map(({ label, score }) => (
          <li key={label} className="grid grid-cols-[minmax(0,8.5rem)_1fr_2.5rem] items-center gap-3">
            <span className="sr-only">{t("score", { label, percent: Math.round(score * 100) })}</span>
            <bdi aria-hidden title={label} className="truncate">
              {label}
            </bdi>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
              <span className="block h-full rounded-full bg-text-3" style={{ width: `${score * 100}%` }} />
            </span>
            <span aria-hidden className="tabular text-right text-sm text-text-2">
              {score.toFixed(2)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The tempo field takes no letters, so T taps there as well. */
const TAP_FIELDS = `${NON_TEXT_INPUTS}, input[inputmode=decimal]`;

/** Lets T tap the beat wherever the focus is, unless the user is typing. The first tap opens the form. */
function useTapKey(isEnabled: boolean, onTap: (timeMs: number) => void, onOpen: () => void): void {
  useDocumentKeydown((event) => {
    if (!isEnabled || event.key.toLowerCase() !== "t" || event.repeat || !isShortcutAllowed(event, TAP_FIELDS)) return;
    event.preventDefault();
    onOpen();
    onTap(event.timeStamp);
  });
}
