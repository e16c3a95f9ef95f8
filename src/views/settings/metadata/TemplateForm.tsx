import { LIMITS } from "../../../../contract/limits.ts";
import { METADATA_FILE_KINDS, type MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { createMetadataTemplate as operation } from "../../../../contract/operations/metadata.ts";
import { cleanName, nameKey } from "../../../../contract/text.ts";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { useForm } from "../../../components/use-form.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { useCreateTemplate, useUpdateTemplate } from "../../../queries/metadata/use-templates.ts";
import { announce } from "../../../ui/announce.ts";
import { CheckField, FieldGroup, TextField } from "../../../ui/Field.tsx";

interface TemplateFormProps {
  teamId: number;
  templates: readonly MetadataTemplate[];
  /** Null creates a new template. */
  template: MetadataTemplate | null;
  onClose(): void;
}

/** Edits the name of a template and the kinds of files that have its fields. All kinds, or none, stand for every file. */
export function TemplateForm({ teamId, templates, template, onClose }: TemplateFormProps) {
  const create = useCreateTemplate(teamId);
  const update = useUpdateTemplate(teamId);
  const save = template
    ? { ...update, mutateAsync: (body: { name: string; kinds: MetadataTemplate["kinds"] }) => update.mutateAsync({ id: template.id, ...body }) }
    : create;
  const form = useForm(save, operation.body, { name: template?.name ?? "", kinds: template ? template.kinds : (["audio"] as MetadataTemplate["kinds"]) });
  const { kinds } = form.values;
  const name = cleanName(form.values.name);
  const isTaken = templates.some((other) => other.id !== template?.id && nameKey(other.name) === nameKey(name));
  const toggle = (kind: (typeof METADATA_FILE_KINDS)[number], isOn: boolean) => {
    const next = METADATA_FILE_KINDS.filter((other) => (other === kind ? isOn : (kinds?.includes(other) ?? false)));
    form.setValues({ kinds: next.length === 0 ? null : next });
  };
  return (
    <FormDialog
      title={template ? t("editTemplate", { name: template.name }) : t("newTemplate")}
      width="sm"
      form={form}
      body={{ name, kinds }}
      extraErrors={isTaken ? [{ path: "name", message: t("nameTaken") }] : []}
      onDone={(saved) => {
        announce(t("templateSaved", { name: saved.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={template ? tCommon("save") : t("create")}
    >
      <TextField {...form.field("name", t("name"))} autoComplete="off" autoFocus required maxLength={LIMITS.metadata_name_characters} />
      <FieldGroup label={t("kinds")} error={form.errorOf("kinds", t("kinds"))}>
        <div className="flex flex-col gap-2">
          <CheckField label={t("allKinds")} checked={kinds === null} onChange={(isOn) => form.setValues({ kinds: isOn ? null : ["audio"] })} />
          {METADATA_FILE_KINDS.map((kind) => (
            <CheckField key={kind} label={t(kind)} checked={kinds?.includes(kind) ?? false} onChange={(isOn) => toggle(kind, isOn)} />
          ))}
        </div>
        <p className="mt-2 text-sm text-text-3">{t("kindsHint")}</p>
      </FieldGroup>
    </FormDialog>
  );
}
