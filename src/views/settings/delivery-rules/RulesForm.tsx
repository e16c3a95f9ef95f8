import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { DeliveryRules } from "../../../../contract/delivery-records.ts";
import { Form, SubmitButton } from "../../../components/Form.tsx";
import { useRecordForm } from "../../../components/use-record-form.ts";
import { t } from "../../../lib/texts/delivery-rules.ts";
import { isConflict } from "../../../queries/describe-error.ts";
import { useSetDeliveryRules } from "../../../queries/delivery-rules/use-delivery-rules.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { CheckField, FieldGroup, TextField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { formatChannelCount, formatDepth, formatFormat, formatRate } from "./format-rules.ts";
import { NamePatternField } from "./NamePatternField.tsx";
import { PresetCards } from "./PresetCards.tsx";
import { EMPTY_DRAFT, findDraftErrors, isSameDraft, OPTIONS, optionsWith, type RulesDraft, toBody, toDraft, toggleValue } from "./rules-draft.ts";

interface RulesFormProps {
  teamId: number;
  rules: DeliveryRules;
  onDirtyChange(isDirty: boolean): void;
}

/** Edits all rules of a team, which are saved together. Fields that are not touched follow what others save meanwhile. */
export function RulesForm({ teamId, rules, onDirtyChange }: RulesFormProps) {
  const save = useSetDeliveryRules(teamId);
  const stored = toDraft(rules);
  const form = useRecordForm<RulesDraft, DeliveryRules>(
    { ...save, mutateAsync: (changes) => save.mutateAsync({ ...toBody({ ...stored, ...changes }), if_updated_at: rules.updated_at }) },
    undefined,
    stored,
  );
  const draft: RulesDraft = { ...stored, ...form.changes };
  const isDirty = !isSameDraft(draft, stored);
  const isRefused = isConflict(save.error);
  const isOutdated = useOutdated(rules.updated_at, isDirty, save.data?.updated_at);
  const reportDirty = useEffectEvent(onDirtyChange);
  useEffect(() => {
    reportDirty(isDirty);
    return () => reportDirty(false);
  }, [isDirty]);

  const status = useRef<HTMLSpanElement>(null);
  /** The button that was pressed may be gone, so the focus moves to what says the result. */
  const replaceDraft = (changes: Partial<RulesDraft>) => {
    form.updateValues(() => changes);
    form.clearErrors();
    status.current?.focus({ preventScroll: true });
  };
  const choice = <K extends "sample_rates" | "bit_depths" | "channels" | "formats">(name: K, label: string) => ({
    label,
    values: draft[name],
    error: form.errorOf(name, label),
  });
  return (
    <Form
      form={{ ...form, problem: isRefused ? null : form.problem }}
      body={form.changes}
      extraErrors={findDraftErrors(draft)}
      onDone={form.onSaved}
      className="flex flex-col gap-6 py-4"
    >
      {(isRefused || (isOutdated && !save.isPending)) && (
        <Notice tone="info" title={t("changedMeanwhile")}>
          {t("changedMeanwhileHelp")}
        </Notice>
      )}
      <PresetCards
        onSelect={(name, preset) => {
          form.setValues({ ...toDraft(preset), name_pattern: draft.name_pattern });
          form.clearErrors();
          announce(t("filledIn", { name }));
        }}
      />
      <FieldGroup label={t("loudness")}>
        <div className="grid items-start gap-4 tablet:grid-cols-3">
          <TextField
            label={t("target")}
            value={draft.loudness.target}
            onChange={(target) => form.setValues({ loudness: { ...draft.loudness, target } })}
            error={form.errorOf("loudness.target", t("target"))}
            placeholder="−14"
            autoComplete="off"
          />
          <TextField
            label={t("tolerance")}
            value={draft.loudness.tolerance}
            onChange={(tolerance) => form.setValues({ loudness: { ...draft.loudness, tolerance } })}
            error={form.errorOf("loudness.tolerance", t("tolerance"))}
            placeholder="1"
            autoComplete="off"
          />
          <TextField {...form.field("true_peak_max", t("truePeakMax"))} placeholder="−1" autoComplete="off" />
        </div>
        <p className="mt-2 text-sm text-text-3">{t("notChecked")}</p>
      </FieldGroup>
      <div>
        <div className="flex flex-col gap-4">
          <Choices
            {...choice("sample_rates", t("sampleRate"))}
            options={optionsWith(OPTIONS.sample_rates, rules.sample_rates)}
            format={formatRate}
            onChange={(sample_rates) => form.setValues({ sample_rates })}
          />
          <Choices
            {...choice("bit_depths", t("bitDepth"))}
            options={optionsWith(OPTIONS.bit_depths, rules.bit_depths)}
            format={formatDepth}
            onChange={(bit_depths) => form.setValues({ bit_depths })}
          />
          <Choices
            {...choice("channels", t("channels"))}
            options={optionsWith(OPTIONS.channels, rules.channels)}
            format={formatChannelCount}
            onChange={(channels) => form.setValues({ channels })}
          />
          <Choices
            {...choice("formats", t("format"))}
            options={optionsWith<string>(OPTIONS.formats, rules.formats)}
            format={formatFormat}
            onChange={(formats) => form.setValues({ formats })}
          />
        </div>
        <p className="mt-2 text-sm text-text-3">{t("anyOf")}</p>
      </div>
      <NamePatternField {...form.field("name_pattern", t("namePattern"))} />
      <div className="flex flex-wrap items-center gap-2">
        <SubmitButton form={form} disabled={!isDirty}>
          {t("save")}
        </SubmitButton>
        {isDirty && <Button onClick={() => replaceDraft({})}>{t("discard")}</Button>}
        <span ref={status} tabIndex={-1} role="status" className={isDirty ? "text-text-2" : "text-ok"}>
          {isDirty ? t("unsaved") : form.isSaved ? t("saved") : ""}
        </span>
        {!isSameDraft(draft, EMPTY_DRAFT) && (
          <Button
            variant="ghost"
            className="ml-auto"
            onClick={() => {
              replaceDraft(EMPTY_DRAFT);
              announce(t("cleared"));
            }}
          >
            {t("clear")}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Returns whether others have saved rules since the form began to differ from the stored ones. `ownSave`: when this form saved last. */
function useOutdated(updatedAt: string | null, isDirty: boolean, ownSave: string | null | undefined): boolean {
  const [base, setBase] = useState(updatedAt);
  if (!isDirty && base !== updatedAt) setBase(updatedAt);
  return isDirty && base !== updatedAt && updatedAt !== ownSave;
}

interface ChoicesProps<T extends number | string> {
  label: string;
  values: readonly T[];
  options: readonly T[];
  error: string | undefined;
  format(value: T): string;
  onChange(values: readonly T[]): void;
}

function Choices<T extends number | string>({ label, values, options, error, format, onChange }: ChoicesProps<T>) {
  return (
    <FieldGroup label={label} error={error}>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {options.map((option) => (
          <CheckField
            key={option}
            label={format(option)}
            checked={values.includes(option)}
            onChange={(isOn) => onChange(toggleValue(values, option, isOn, options))}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
