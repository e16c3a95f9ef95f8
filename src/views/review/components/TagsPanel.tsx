import type { AudioFileInfo, FileInfoAnswer } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review.ts";
import { signed } from "../model/facts.ts";
import { loudnessOf } from "../model/info.ts";
import { keyOf, tagLists, tempoOf, type Measured, type TagList } from "../model/tags.ts";

/** What listening machines found, and where they found nothing, why. */
export function TagsPanel({ info, underWay }: { info: FileInfoAnswer; underWay: boolean }) {
  const { ai_tags: tags } = info;
  const { integrated } = loudnessOf(info.file_info as AudioFileInfo);
  return (
    <section
      aria-labelledby="tags"
      className="border-line bg-bg px-4 py-5 max-desktop:border-b tablet:px-5 desktop:col-start-2 desktop:row-span-2 desktop:row-start-1 desktop:border-l"
    >
      <h2 id="tags" className="font-semibold">
        {t("tags")}
      </h2>
      <dl className="mt-3 grid grid-cols-2 gap-2 tablet:grid-cols-3 desktop:grid-cols-2">
        <Figure name={t("tempo")} measured={tempoOf(tags, underWay)} beside />
        <Figure name={t("key")} measured={keyOf(tags, underWay)} />
        {integrated !== null && <Figure name={t("loudness")} measured={{ value: signed(integrated), note: "LUFS" }} beside />}
      </dl>
      {tagLists(tags, underWay).map((list) => (
        <Bars key={list.name} list={list} />
      ))}
    </section>
  );
}

function Figure({ name, measured: { value, note }, beside = false }: { name: string; measured: Measured; beside?: boolean }) {
  const unit = beside && note !== null && note.length <= 4;
  return (
    <div className="rounded-lg border border-line bg-surface px-3.5 py-2.5">
      <dt className="text-sm text-text-2">{name}</dt>
      <dd>
        {value !== null && <span className="text-lg font-semibold">{value}</span>}
        {note !== null && (unit ? <span className="ml-1 text-sm text-text-2">{note}</span> : <span className="block text-xs text-text-2">{note}</span>)}
      </dd>
    </div>
  );
}

function Bars({ list: { name, tags, why } }: { list: TagList }) {
  return (
    <div className="mt-5">
      <h3 className="text-sm font-medium text-text-2">{name}</h3>
      {why && <p className="mt-1 text-sm text-text-2">{why}</p>}
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
