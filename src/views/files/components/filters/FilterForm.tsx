import { ENTRY_KINDS } from "../../../../../contract/file-records.ts";
import { language } from "../../../../lib/language.ts";
import { t } from "../../../../lib/messages/files.ts";
import { StatusBadge } from "../../../../parts/status/StatusBadge.tsx";
import { useFacets } from "../../../../queries/file-lists/use-facets.ts";
import { usePeople } from "../../../../queries/members/use-people.ts";
import { Button } from "../../../../ui/Button.tsx";
import { SelectField, TextField } from "../../../../ui/Field.tsx";
import { useTyped } from "../../../../ui/use-typed.ts";
import { shownIn, searchOf, withoutFilter, withStatus, type Shown } from "../../model/url-state.ts";
import { chipsOf } from "../../model/chips.ts";
import { kindName } from "../../model/kind-words.ts";
import { useFilesRoom } from "../files-room.ts";

const TYPING_MS = 500;

/** Everything that files can be filtered by, with what occurs in this project. What is chosen holds at once. */
export function FilterForm() {
  const { project, shown, show } = useFilesRoom();
  const facets = useFacets(project.id);
  const personOf = usePeople(project.id);
  const { kinds = [], statuses = [], keys = [], tags = [], uploaders = [], bpm = null } = facets.data ?? {};
  const set = (change: Partial<Shown>) => show((now) => ({ ...now, ...change }));
  const counted = (name: string, count: number) => t("optionCount", { name, count });

  return (
    <form className="flex flex-col gap-3.5" onSubmit={(event) => event.preventDefault()}>
      {facets.isError && (
        <p role="alert" className="text-sm text-danger">
          {t("facetsFailed")}
        </p>
      )}
      <SelectField label={t("kind")} value={shown.kind ?? ""} onChange={({ target }) => set({ kind: ENTRY_KINDS.find((one) => one === target.value) ?? null })}>
        <option value="">{t("anyKind")}</option>
        {ENTRY_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {counted(kindName(kind), kinds.find((one) => one.kind === kind)?.count ?? 0)}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("status")}</legend>
        <div className="flex flex-col gap-0.5">
          {statuses.map(({ status, count }) => {
            const one = status?.id ?? "none";
            return (
              <label key={one} className="flex h-8 items-center gap-2.5 rounded-sm px-1 hover:bg-hover">
                <input
                  type="checkbox"
                  checked={shown.status.includes(one)}
                  onChange={() => show((now) => withStatus(now, one))}
                  className="size-4 shrink-0 accent-accent"
                />
                <StatusBadge status={status} />
                <span className="tabular ml-auto text-xs text-text-3">{count.toLocaleString(language)}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("tempo")}</legend>
        <div className="flex items-center gap-2">
          <Bpm label={t("tempoFrom")} value={shown.bpmMin} placeholder={bpm && Math.floor(bpm.min)} onValue={(bpmMin) => set({ bpmMin })} />
          <span aria-hidden>–</span>
          <Bpm label={t("tempoTo")} value={shown.bpmMax} placeholder={bpm && Math.ceil(bpm.max)} onValue={(bpmMax) => set({ bpmMax })} />
        </div>
      </fieldset>
      <Choice
        label={t("key")}
        any={t("anyKey")}
        value={shown.key}
        options={keys.map(({ key, count }) => [key, counted(key, count)])}
        onValue={(key) => set({ key })}
      />
      <Choice
        label={t("tag")}
        any={t("anyTag")}
        value={shown.tag}
        options={tags.map(({ tag, count }) => [tag, counted(tag, count)])}
        onValue={(tag) => set({ tag })}
      />
      <Choice
        label={t("uploader")}
        any={t("anybody")}
        value={shown.uploader === null ? null : String(shown.uploader)}
        options={uploaders.map(({ account_id, count }) => [String(account_id), counted(personOf(account_id)?.name ?? t("somebody"), count)])}
        onValue={(id) => set({ uploader: id === null ? null : Number(id) })}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t("date")}</legend>
        <div className="flex items-center gap-2">
          <Day label={t("dateFrom")} value={shown.from} onValue={(from) => set({ from })} />
          <span aria-hidden>–</span>
          <Day label={t("dateTo")} value={shown.to} onValue={(to) => set({ to })} />
        </div>
      </fieldset>
      {chipsOf(shown).length > 0 && (
        <Button look="ghost" className="self-end" onClick={() => show((now) => ({ ...withoutFilter(now), q: now.q }))}>
          {t("clear")}
        </Button>
      )}
    </form>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | null;
  options: (readonly [value: string, name: string])[];
  onValue(value: string | null): void;
}

function Choice({ label, any, value, options, onValue }: ChoiceProps) {
  // What an address asks for may occur nowhere.
  const all = value === null || options.some(([one]) => one === value) ? options : [[value, value] as const, ...options];
  return (
    <SelectField label={label} value={value ?? ""} onChange={({ target }) => onValue(target.value === "" ? null : target.value)}>
      <option value="">{any}</option>
      {all.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** What the address would make of it. */
const bpmOf = (text: string): number | null => shownIn(new URLSearchParams({ bpm: `${text}-` })).bpmMin;

function Bpm({ label, value, placeholder, onValue }: { label: string; value: number | null; placeholder: number | null; onValue(bpm: number | null): void }) {
  const { text, setText, commit } = useTyped(
    value === null ? "" : String(value),
    (typed) => (typed === "" || bpmOf(typed) !== null) && onValue(bpmOf(typed)),
    TYPING_MS,
  );
  return (
    <TextField
      label={label}
      labelHidden
      inputMode="decimal"
      autoComplete="off"
      className="min-w-0 flex-1"
      placeholder={placeholder === null ? label : String(placeholder)}
      value={text}
      onChange={({ target }) => setText(target.value.replaceAll(",", ".").replaceAll(/[^\d.]/g, ""))}
      onBlur={() => commit()}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function Day({ label, value, onValue }: { label: string; value: string | null; onValue(day: string | null): void }) {
  return (
    <TextField
      label={label}
      labelHidden
      type="date"
      className="min-w-0 flex-1"
      value={value ?? ""}
      onChange={({ target }) => {
        const { from } = shownIn(new URLSearchParams(searchOf({ ...shownIn(new URLSearchParams()), from: target.value })));
        if (target.value === "" || from !== null) onValue(from);
      }}
    />
  );
}
