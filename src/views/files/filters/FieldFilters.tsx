/** Filters by metadata fields, with the controls that fit each type. */
import type { MetadataField } from "../../../../contract/metadata-records.ts";
import type { MetadataCondition } from "../../../../contract/metadata-filter.ts";
import { formatFieldValue, parseFieldText } from "../../../components/metadata/field-values.ts";
import { formatDay } from "../../../lib/days.ts";
import { t } from "../../../lib/texts/files.ts";
import type { Person } from "../../../queries/members.ts";
import { useProjectMembers } from "../../../queries/projects.ts";
import { TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useDebouncedInput } from "../../../ui/text-input.ts";
import { useFilesContext } from "../files-context.ts";
import { parseDay, withCondition } from "../url-state.ts";

const DEBOUNCE_MS = 500;

type Condition = Omit<MetadataCondition, "field_id">;

interface FieldFilterProps {
  field: MetadataField;
  condition: Condition | undefined;
  onChange(condition: Condition | null): void;
}

/** Renders a filter for each field with a column, and for those that the link filters by. */
export function FieldFilters() {
  const { fieldColumns, urlState, setUrlState } = useFilesContext();
  const conditionOf = (id: number) => urlState.metadata.find(({ field_id }) => field_id === id);
  const fields = fieldColumns.fields.filter((field) => fieldColumns.ids.includes(field.id) || conditionOf(field.id));
  return fields.map((field) => (
    <FieldFilter
      key={field.id}
      field={field}
      condition={conditionOf(field.id)}
      onChange={(condition) => setUrlState((current) => withCondition(current, field.id, condition))}
    />
  ));
}

function FieldFilter(props: FieldFilterProps) {
  switch (props.field.type) {
    case "number":
      return <RangeFilter {...props} />;
    case "date":
      return <RangeFilter {...props} isDate />;
    case "text":
    case "isrc":
      return <TextFilter {...props} />;
    default:
      return <ListFilter {...props} />;
  }
}

/** Chooses an option, a person, or whether a box is checked; also files without a value. */
function ListFilter({ field, condition, onChange }: FieldFilterProps) {
  const { project } = useFilesContext();
  const members = useProjectMembers(project.id).data ?? [];
  const values =
    field.type === "choice" ? field.options.map(({ id, name }) => [id, name] as const) : members.map(({ id, username }) => [id, username] as const);
  const options: [string, string, Condition | null][] = [
    ["any", t("anyValue"), null],
    ...(field.type === "checkbox"
      ? ([["not_empty", t("checked"), { op: "not_empty" }]] satisfies [string, string, Condition][])
      : values.map(([value, name]): [string, string, Condition] => [`is ${value}`, name, { op: "is", value }])),
    ["empty", t(field.type === "checkbox" ? "notChecked" : "noValue"), { op: "empty" }],
  ];
  const selected = condition === undefined ? "any" : condition.op === "is" ? `is ${String(condition.value)}` : condition.op;
  // A value from the link may be gone.
  const missing: [string, string][] = options.some(([key]) => key === selected) ? [] : [[selected, t("formerValue")]];
  return (
    <Select
      label={field.name}
      value={selected}
      options={[...options.map(([key, name]) => [key, name] as const), ...missing]}
      onChange={(key) => onChange(options.find(([other]) => other === key)?.[2] ?? null)}
    />
  );
}

function TextFilter({ field, condition, onChange }: FieldFilterProps) {
  const { text, setText, commit } = useDebouncedInput(
    typeof condition?.value === "string" ? condition.value : "",
    (input) => onChange(input === "" ? null : { op: "contains", value: input }),
    DEBOUNCE_MS,
  );
  return (
    <TextField
      label={field.name}
      autoComplete="off"
      maxLength={100}
      placeholder={t("contains")}
      value={text}
      onChange={setText}
      onBlur={() => commit()}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function RangeFilter({ field, condition, onChange, isDate = false }: FieldFilterProps & { isDate?: boolean }) {
  const change = (name: "min" | "max", value: string | number | null) => {
    const min = name === "min" ? (value ?? undefined) : condition?.min;
    const max = name === "max" ? (value ?? undefined) : condition?.max;
    onChange(min === undefined && max === undefined ? null : { op: "range", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{field.name}</legend>
      <div className="flex items-center gap-2">
        <BoundField
          field={field}
          label={t("fieldFrom", { field: field.name })}
          value={condition?.min}
          isDate={isDate}
          onChange={(value) => change("min", value)}
        />
        <span aria-hidden>–</span>
        <BoundField
          field={field}
          label={t("fieldTo", { field: field.name })}
          value={condition?.max}
          isDate={isDate}
          onChange={(value) => change("max", value)}
        />
      </div>
    </fieldset>
  );
}

interface BoundFieldProps {
  field: MetadataField;
  label: string;
  value: MetadataCondition["min"];
  isDate: boolean;
  onChange(value: string | number | null): void;
}

function BoundField({ field, label, value, isDate, onChange }: BoundFieldProps) {
  const shown = value === undefined ? "" : String(value);
  const { text, setText, commit } = useDebouncedInput(
    shown,
    (input) => {
      const parsed = parseFieldText(field, input);
      if ("value" in parsed) onChange(typeof parsed.value === "number" ? parsed.value : null);
    },
    DEBOUNCE_MS,
  );
  const shared = { label, labelHidden: true, className: "min-w-0 flex-1" };
  if (isDate) {
    return <TextField {...shared} type="date" value={shown} onChange={(input) => (input === "" || parseDay(input) !== null) && onChange(parseDay(input))} />;
  }
  return (
    <TextField
      {...shared}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={setText}
      onBlur={() => commit()}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

/** Describes a condition for its chip: "Artist: Lina", "Take: from 2". */
export function describeCondition(field: MetadataField | undefined, condition: MetadataCondition, personOf: (id: number) => Person | undefined): string {
  const name = field?.name ?? t("formerField");
  return t("fieldCondition", { field: name, condition: conditionText(field, condition, personOf) });
}

function conditionText(field: MetadataField | undefined, { op, value, min, max }: MetadataCondition, personOf: (id: number) => Person | undefined): string {
  if (op === "empty") return t(field?.type === "checkbox" ? "notChecked" : "noValue");
  if (op === "not_empty") return t(field?.type === "checkbox" ? "checked" : "anyValue");
  if (op !== "range") return op === "is" && field ? (formatFieldValue(field, value, (id) => personOf(id)?.name) ?? t("formerValue")) : String(value);
  const format = (bound: MetadataCondition["min"]) => (field?.type === "date" ? formatDay(String(bound)) : String(bound));
  if (min !== undefined && max !== undefined) return t("dateBetween", { from: format(min), to: format(max) });
  return min === undefined ? t("atMost", { to: format(max) }) : t("atLeast", { from: format(min) });
}
