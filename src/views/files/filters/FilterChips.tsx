import { X } from "lucide-react";
import type { FileFacets } from "../../../../contract/file-records.ts";
import { formatDay } from "../../../lib/days.ts";
import { formatKey } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/files.ts";
import { useFacets } from "../../../queries/file-lists/file-list-queries.ts";
import { usePeople, type Person } from "../../../queries/members.ts";
import { Button } from "../../../ui/Button.tsx";
import { kindName } from "../entry-labels.ts";
import { describeCondition } from "./FieldFilters.tsx";
import { useFilesContext } from "../files-context.ts";
import { type ChipName, getChips, type UrlState, withoutChips } from "../url-state.ts";

/** Renders the active filters as chips that remove them. */
export function FilterChips() {
  const { project, folder, urlState, setUrlState, fieldColumns } = useFilesContext();
  const personOf = usePeople(project.id);
  const facets = useFacets(project.id, folder.id).data;
  const chips = getChips(urlState);
  return (
    <ul aria-label={t("activeFilters")} className="flex shrink-0 flex-wrap items-center gap-1.5 px-3 pb-2 tablet:px-4">
      {chips.map(({ name, without }) => {
        const condition = urlState.metadata.find(({ field_id }) => name === `field-${field_id}`);
        const text = condition
          ? describeCondition(
              fieldColumns.fields.find(({ id }) => id === condition.field_id),
              condition,
              personOf,
            )
          : chipLabel(name, urlState, personOf, facets);
        return (
          <li key={name} className="flex min-w-0">
            <button
              type="button"
              aria-label={t("removeFilter", { filter: text })}
              data-tooltip={t("removeFilter", { filter: text })}
              onClick={() => setUrlState(without)}
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
          <Button variant="ghost" size="sm" onClick={() => setUrlState(withoutChips)}>
            {t("clear")}
          </Button>
        </li>
      )}
    </ul>
  );
}

function chipLabel(name: ChipName, urlState: UrlState, personOf: (id: number) => Person | undefined, facets: FileFacets | undefined): string {
  const { kind, bpmMin, bpmMax, from, to } = urlState;
  switch (name) {
    case "kind":
      return kind ? kindName(kind) : "";
    case "status":
      return urlState.status
        .map((statusId) =>
          statusId === "none" ? t("noStatus") : (facets?.statuses.find(({ status }) => status?.id === statusId)?.status?.title ?? t("status")),
        )
        .join(", ");
    case "bpm":
      if (bpmMin !== null && bpmMax !== null) return t("tempoBetween", { from: bpmMin, to: bpmMax });
      return bpmMin === null ? t("tempoAtMost", { to: bpmMax ?? 0 }) : t("tempoAtLeast", { from: bpmMin });
    case "key":
      return formatKey(urlState.key ?? "");
    case "tag":
      return urlState[name] ?? "";
    case "uploader":
      return personOf(urlState.uploader ?? 0)?.name ?? t("formerMember");
    case "date":
      if (from !== null && to !== null) return from === to ? formatDay(from) : t("dateBetween", { from: formatDay(from), to: formatDay(to) });
      return from === null ? t("dateUntil", { to: formatDay(to ?? "") }) : t("dateSince", { from: formatDay(from) });
    default:
      return "";
  }
}
