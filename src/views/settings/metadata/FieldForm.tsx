import { LIMITS } from "../../../../contract/limits.ts";
import {
  METADATA_FIELD_TYPES,
  type MetadataField,
  type MetadataFieldType,
  type MetadataTemplate,
  STANDARD_TAGS,
} from "../../../../contract/metadata-records.ts";
import { cleanName, nameKey } from "../../../../contract/text.ts";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { type FormMutation, useForm } from "../../../components/use-form.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { lostValueCountOf, useCreateField, useTemplateUsage, useUpdateField } from "../../../queries/metadata/use-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { TextArea, TextField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Select } from "../../../ui/Select.tsx";
import { findTakenOptions, type OptionDraft } from "./option-drafts.ts";
import { OptionFields } from "./OptionFields.tsx";

interface FieldFormProps {
  teamId: number;
  template: MetadataTemplate;
  /** Null creates a new field. */
  field: MetadataField | null;
  onClose(): void;
}

interface FieldBody {
  name: string;
  type: MetadataFieldType;
  options: { id?: string; name: string }[];
  help: string;
  tag: string | null;
  /** How many files lose their value with the options that are removed. */
  lostValueCount: number;
}

/** Edits a field of a template. Options that are removed take the values of files with them, which the person confirms first. */
export function FieldForm({ teamId, template, field, onClose }: FieldFormProps) {
  const create = useCreateField(teamId, template.id);
  const update = useUpdateField(teamId);
  const usage = useTemplateUsage(template.id, field?.type === "choice").data;
  const refusedCount = lostValueCountOf(update.error);
  const save: FormMutation<FieldBody, MetadataField> = field
    ? {
        ...update,
        error: refusedCount === undefined ? update.error : null,
        mutateAsync: ({ type, options, lostValueCount, ...body }) =>
          update.mutateAsync({
            id: field.id,
            ...body,
            ...(type === "choice" ? { options } : {}),
            ...(lostValueCount === 0 ? {} : { lost_value_count: lostValueCount }),
          }),
      }
    : {
        ...create,
        mutateAsync: ({ options, lostValueCount: _none, ...body }) => create.mutateAsync({ ...body, ...(body.type === "choice" ? { options } : {}) }),
      };
  const form = useForm(save, undefined, {
    name: field?.name ?? "",
    type: field?.type ?? "text",
    options: field ? field.options.map(({ id, name }, key): OptionDraft => ({ key, id, name })) : ([{ key: 0, name: "" }] as OptionDraft[]),
    help: field?.help ?? "",
    tag: field?.tag ?? "",
  });
  const { type, options } = form.values;
  const removedOptions = usage?.fields.find(({ field_id }) => field_id === field?.id)?.options.filter(({ id }) => !options.some((option) => option.id === id));
  const lostValueCount = refusedCount ?? removedOptions?.reduce((sum, { value_count }) => sum + value_count, 0) ?? 0;
  const body = {
    lostValueCount,
    name: cleanName(form.values.name),
    type,
    options: options.map(({ id, name }) => ({ ...(id === undefined ? {} : { id }), name: cleanName(name) })).filter(({ name }) => name !== ""),
    help: form.values.help.trim(),
    tag: form.values.tag.trim() || null,
  };
  const takenKeys = findTakenOptions(options);
  const isTaken = template.fields.some((other) => other.id !== field?.id && nameKey(other.name) === nameKey(body.name));
  const errors = [
    ...(body.name === "" ? [{ path: "name", message: "" }] : isTaken ? [{ path: "name", message: t("nameTaken") }] : []),
    ...(type === "choice" && body.options.length === 0 ? [{ path: "options", message: t("noOptions") }] : []),
    ...(type === "choice" && takenKeys.size > 0 ? [{ path: "options", message: t("optionTaken") }] : []),
  ];
  return (
    <FormDialog
      title={field ? t("editTemplate", { name: field.name }) : t("newField", { name: template.name })}
      width="sm"
      form={form}
      body={body}
      extraErrors={errors}
      onDone={(saved) => {
        announce(t("templateSaved", { name: saved.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={lostValueCount > 0 ? t("confirmLost") : field ? tCommon("save") : t("create")}
    >
      {lostValueCount > 0 && <Notice title={t("lost", { count: lostValueCount })} />}
      <TextField {...form.field("name", t("name"))} autoComplete="off" autoFocus required maxLength={LIMITS.metadata_name_characters} />
      <Select
        {...form.field("type", t("type"))}
        hint={t(field ? "typeFixed" : "typeHelp", { help: t(`${type}Help`) })}
        disabled={field !== null}
        options={METADATA_FIELD_TYPES.map((one) => [one, t(one)] as const)}
      />
      {type === "choice" && (
        <OptionFields
          options={options}
          takenKeys={takenKeys}
          error={takenKeys.size === 0 ? form.errorOf("options", t("options")) : undefined}
          onChange={(next) => {
            form.clearErrors();
            form.setValues({ options: next });
          }}
        />
      )}
      <TextArea {...form.field("help", t("help"))} hint={t("helpHint")} maxLength={LIMITS.metadata_help_characters} rows={2} />
      <TextField {...form.field("tag", t("tag"))} hint={t("tagHint")} autoComplete="off" spellCheck={false} maxLength={60} list="standard-tags" />
      <datalist id="standard-tags">
        {STANDARD_TAGS.map((tag) => (
          <option key={tag} value={tag}>
            {tag}
          </option>
        ))}
      </datalist>
    </FormDialog>
  );
}
