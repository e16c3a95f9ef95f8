import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { AudioFileInfo, FileInfoResponse } from "../../../../contract/records.ts";
import type { TrackController } from "../../../audio/deck.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { useProgress } from "../../../queries/files/use-progress.ts";
import { useRegenerateTags } from "../../../queries/files/use-tags.ts";
import { describeError } from "../../../queries/problems.ts";
import { usePermissions } from "../../../queries/session/use-rights.ts";
import { Button } from "../../../ui/Button.tsx";
import { formatSigned } from "../model/facts.ts";
import { loudnessOf, versionOf } from "../model/info.ts";
import { describeKey, tagLists, describeTempo } from "../model/tags.ts";
import { TagBars } from "./Bars.tsx";
import { EditableValue } from "./Figure.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { TempoForm } from "./TempoForm.tsx";
import { useTapKey } from "./use-tap-key.ts";
import { NO_TAPS, addTap } from "../model/tap-tempo.ts";

/** Renders detected tags, corrections, and the reason for each empty list. */
export function TagsPanel({ info, trackController, processing }: { info: FileInfoResponse; trackController: TrackController | null; processing: boolean }) {
  const { ai_tags: tags, common } = info;
  const audio = info.file_info as AudioFileInfo;
  const { canCorrectTags } = usePermissions();
  const [editedField, setEditedField] = useState<"bpm" | "key" | null>(null);
  const [tapSequence, setTapSequence] = useState(NO_TAPS);
  const { integrated, truePeak } = loudnessOf(audio);
  const toggleForm = (field: "bpm" | "key") => {
    setTapSequence(NO_TAPS);
    setEditedField(editedField === field ? null : field);
  };
  const handleTap = (timeMs: number) => {
    const playback = trackController?.state();
    setTapSequence((current) => addTap(current, timeMs, playback?.playing ? playback.rate : 1));
  };
  useTapKey(canCorrectTags, handleTap, () => setEditedField("bpm"));
  return (
    <section
      aria-labelledby="tags"
      className="border-line bg-bg px-4 py-5 max-desktop:border-b tablet:px-5 desktop:col-start-2 desktop:row-span-2 desktop:row-start-1 desktop:border-l"
    >
      <h2 id="tags" className="font-semibold">
        {t("tags")}
      </h2>
      <dl className="mt-3 grid grid-cols-2 gap-2 tablet:grid-cols-3 desktop:grid-cols-2">
        <EditableValue
          name={t("tempo")}
          measured={describeTempo(tags, audio, processing)}
          edit={canCorrectTags ? { label: t("correctTempo"), open: editedField === "bpm", onPress: () => toggleForm("bpm") } : null}
        />
        <EditableValue
          name={t("key")}
          measured={describeKey(tags, audio, processing)}
          edit={canCorrectTags ? { label: t("correctKey"), open: editedField === "key", onPress: () => toggleForm("key") } : null}
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
      {editedField === "bpm" && (
        <TempoForm fileId={common.id} info={audio} tags={tags} tapSequence={tapSequence} onTap={handleTap} onClose={() => setEditedField(null)} />
      )}
      {editedField === "key" && <KeyForm fileId={common.id} info={audio} tags={tags} onClose={() => setEditedField(null)} />}
      {tagLists(tags, processing).map((list) => (
        <TagBars key={list.name} list={list} />
      ))}
      <RegenerateTags info={info} processing={processing} />
    </section>
  );
}

/** Runs the tag analysis again and shows its progress here, where the user started it. */
function RegenerateTags({ info: { common }, processing }: { info: FileInfoResponse; processing: boolean }) {
  const { canProcessFiles } = usePermissions();
  const { mutate, isPending, isSuccess, error } = useRegenerateTags();
  const progress = useProgress(common.id, versionOf(common) ?? 0);
  if (processing) {
    return (
      <p className="tabular mt-5 text-sm text-text-2">
        {progress === undefined ? t("analyzing") : t("analyzingPercent", { percent: Math.floor(progress * 100) })}
      </p>
    );
  }
  if (!canProcessFiles) return null;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="sm" pending={isPending} onClick={() => mutate(common.id)}>
        <RefreshCw size={14} aria-hidden />
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
