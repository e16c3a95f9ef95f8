import { X } from "lucide-react";
import type { FileFacets } from "../../../../../contract/file-records.ts";
import { formatDay } from "../../../../lib/days.ts";
import { t } from "../../../../lib/messages/files.ts";
import { useFacets } from "../../../../queries/file-lists/use-facets.ts";
import { usePeople, type Person } from "../../../../queries/members/use-people.ts";
import { Button } from "../../../../ui/Button.tsx";
import { chipsOf, type ChipName } from "../../model/chips.ts";
import { kindName } from "../../model/kind-words.ts";
import { withoutFilter, type Shown } from "../../model/url-state.ts";
import { useFilesRoom } from "../files-room.ts";

/** What is filtered by, each part with the way to be without it. */
export function Chips() {
  const { shown } = useFilesRoom();
  return chipsOf(shown).length > 0 && <Set />;
}

function Set() {
  const { project, shown, show } = useFilesRoom();
  const personOf = usePeople(project.id);
  const facets = useFacets(project.id).data;
  const chips = chipsOf(shown);
  return (
    <ul aria-label={t("filtersSet")} className="flex shrink-0 flex-wrap items-center gap-1.5 px-3 pb-2 tablet:px-4">
      {chips.map(({ name, without }) => {
        const text = wordsOf(name, shown, personOf, facets);
        return (
          <li key={name} className="flex min-w-0">
            <button
              type="button"
              aria-label={t("without", { filter: text })}
              title={t("without", { filter: text })}
              onClick={() => show(without)}
              className="inline-flex h-7 max-w-60 items-center gap-1 rounded-full border border-line-strong bg-raised pr-1.5 pl-2.5 text-sm hover:bg-hover"
            >
              <bdi className="truncate">{text}</bdi>
              <X size={14} aria-hidden className="shrink-0 text-text-2" />
            </button>
          </li>
        );
      })}
      {chips.length > 1 && (
        <li>
          <Button look="ghost" size="sm" onClick={() => show((now) => ({ ...withoutFilter(now), q: now.q }))}>
            {t("clear")}
          </Button>
        </li>
      )}
    </ul>
  );
}

function wordsOf(name: ChipName, shown: Shown, personOf: (id: number) => Person | undefined, facets: FileFacets | undefined): string {
  const { kind, bpmMin, bpmMax, from, to } = shown;
  switch (name) {
    case "kind":
      return kind ? kindName(kind) : "";
    case "status":
      return shown.status
        .map((one) => (one === "none" ? t("noStatus") : (facets?.statuses.find(({ status }) => status?.id === one)?.status?.title ?? t("status"))))
        .join(", ");
    case "bpm":
      if (bpmMin !== null && bpmMax !== null) return t("tempoBetween", { from: bpmMin, to: bpmMax });
      return bpmMin === null ? t("tempoAtMost", { to: bpmMax ?? 0 }) : t("tempoAtLeast", { from: bpmMin });
    case "key":
      return shown.key ?? "";
    case "tag":
      return shown.tag ?? "";
    case "uploader":
      return personOf(shown.uploader ?? 0)?.name ?? t("somebody");
    case "date":
      if (from !== null && to !== null) return from === to ? formatDay(from) : t("dateBetween", { from: formatDay(from), to: formatDay(to) });
      return from === null ? t("dateUntil", { to: formatDay(to ?? "") }) : t("dateSince", { from: formatDay(from) });
  }
}
