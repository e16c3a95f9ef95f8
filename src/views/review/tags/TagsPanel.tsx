import { RefreshCw } from "lucide-react";
import { useState } from "react";
import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import type { Deck } from "../../../audio/deck.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { useProgress } from "../../../queries/files/use-progress.ts";
import { useRegenerateTags } from "../../../queries/files/use-tags.ts";
import { explain } from "../../../queries/problems.ts";
import { useRights } from "../../../queries/session/use-rights.ts";
import { Button } from "../../../ui/Button.tsx";
import { signed } from "../model/facts.ts";
import { loudnessOf, versionOf } from "../model/info.ts";
import { keyOf, tagLists, tempoOf } from "../model/tags.ts";
import { Bars } from "./Bars.tsx";
import { Figure } from "./Figure.tsx";
import { KeyForm } from "./KeyForm.tsx";
import { TempoForm } from "./TempoForm.tsx";
import { useTapKey } from "./use-tap-key.ts";
import { NO_TAPS, tapped } from "../model/tap-tempo.ts";

/** What listening machines found, where they found nothing why, and what people have put right. */
export function TagsPanel({ info, deck, underWay }: { info: FileInfoAnswer; deck: Deck | null; underWay: boolean }) {
  const { ai_tags: tags, common } = info;
  const audio = info.file_info as AudioFileInfo;
  const { correctsTags } = useRights();
  const [editing, setEditing] = useState<"bpm" | "key" | null>(null);
  const [tapping, setTapping] = useState(NO_TAPS);
  const { integrated, truePeak } = loudnessOf(audio);
  const open = (what: "bpm" | "key") => {
    setTapping(NO_TAPS);
    setEditing(editing === what ? null : what);
  };
  const tap = (at: number) => {
    const heard = deck?.state();
    setTapping((known) => tapped(known, at, heard?.playing ? heard.rate : 1));
  };
  useTapKey(correctsTags, tap, () => setEditing("bpm"));
  return (
    <section
      aria-labelledby="tags"
      className="border-line bg-bg px-4 py-5 max-desktop:border-b tablet:px-5 desktop:col-start-2 desktop:row-span-2 desktop:row-start-1 desktop:border-l"
    >
      <h2 id="tags" className="font-semibold">
        {t("tags")}
      </h2>
      <dl className="mt-3 grid grid-cols-2 gap-2 tablet:grid-cols-3 desktop:grid-cols-2">
        <Figure
          name={t("tempo")}
          measured={tempoOf(tags, audio, underWay)}
          edit={correctsTags ? { label: t("correctTempo"), open: editing === "bpm", onPress: () => open("bpm") } : null}
        />
        <Figure
          name={t("key")}
          measured={keyOf(tags, audio, underWay)}
          edit={correctsTags ? { label: t("correctKey"), open: editing === "key", onPress: () => open("key") } : null}
        />
        {integrated !== null && (
          <Figure
            name={t("loudness")}
            measured={{ value: signed(integrated), unit: "LUFS", note: truePeak === null ? null : t("truePeak", { peak: signed(truePeak) }), corrected: null }}
            edit={null}
            className="max-tablet:col-span-2 desktop:col-span-2"
          />
        )}
      </dl>
      {editing === "bpm" && <TempoForm fileId={common.id} info={audio} tags={tags} tapping={tapping} onTap={tap} onClose={() => setEditing(null)} />}
      {editing === "key" && <KeyForm fileId={common.id} info={audio} tags={tags} onClose={() => setEditing(null)} />}
      {tagLists(tags, underWay).map((list) => (
        <Bars key={list.name} list={list} />
      ))}
      <Generate info={info} underWay={underWay} />
    </section>
  );
}

/** Looks again; how far that is stands here too, since it is here that it was asked for. */
function Generate({ info: { common }, underWay }: { info: FileInfoAnswer; underWay: boolean }) {
  const { processesFiles } = useRights();
  const { mutate, isPending, isSuccess, error } = useRegenerateTags();
  const progress = useProgress(common.id, versionOf(common) ?? 0);
  if (underWay) {
    return (
      <p className="tabular mt-5 text-sm text-text-2">
        {progress === undefined ? t("generating") : t("generatingPercent", { percent: Math.floor(progress * 100) })}
      </p>
    );
  }
  if (!processesFiles) return null;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="sm" pending={isPending} onClick={() => mutate(common.id)}>
        <RefreshCw size={14} aria-hidden />
        {t("generate")}
      </Button>
      <span role="status" className="text-sm text-text-2">
        {t(isSuccess ? "generated" : "generateHelp")}
      </span>
      {error && (
        <p role="alert" className="w-full text-sm text-danger">
          {explain(error).title}
        </p>
      )}
    </div>
  );
}
