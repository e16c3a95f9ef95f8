import type { FocusEventHandler, KeyboardEventHandler, ReactNode } from "react";
import type { MetadataField, MetadataValue } from "../../../contract/metadata-records.ts";
import { t } from "../../lib/texts/metadata.ts";
import { CheckField, TextArea, TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";

interface FieldControlProps {
  field: MetadataField;
  /** Null without a value. */
  value: MetadataValue | null;
  /** What a person field offers. */
  people: readonly { id: number; username: string }[];
  /** What is typed, for fields that are not chosen from a list. */
  text: string;
  error: string | undefined;
  /** Replaces the field's help text. */
  hint?: string | undefined;
  /** Stands in a field whose files have different values, for which nothing is entered yet. */
  mixedLabel?: string | undefined;
  placeholder?: string | undefined;
  /** Stands at the end of the label's line. */
  aside?: ReactNode;
  /** Shows a checkbox as a list with both answers, which can also be neither of them. */
  listsCheckbox?: boolean;
  onTextChange(text: string): void;
  /** Called for fields that are chosen from a list, and for checkboxes. */
  onChoose(value: MetadataValue | null): void;
  onBlur?: FocusEventHandler<HTMLElement>;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
}

/** The control that fits the type of a metadata field, with its help text. */
export function FieldControl({
  field,
  value,
  people,
  text,
  error,
  hint = field.help || undefined,
  mixedLabel,
  listsCheckbox = false,
  onTextChange,
  onChoose,
  placeholder = mixedLabel,
  aside,
  ...handlers
}: FieldControlProps) {
  const shared = { label: field.name, hint, error, aside };
  const typed = { ...shared, ...handlers, value: text, onChange: onTextChange, autoComplete: "off", placeholder };
  const chosen = {
    ...shared,
    value: mixedLabel === undefined ? value : undefined,
    onChange: (next: MetadataValue | null | undefined) => next !== undefined && onChoose(next),
  };
  const mixed = mixedLabel === undefined ? [] : [[undefined, mixedLabel] as const];
  const none = [null, t("none")] as const;
  switch (field.type) {
    case "checkbox":
      if (listsCheckbox)
        return <Select<MetadataValue | null | undefined> {...chosen} options={[...mixed, [true, t("checked")] as const, [null, t("notChecked")] as const]} />;
      return (
        <>
          <CheckField label={field.name} hint={hint} checked={value === true} onChange={(isChecked) => onChoose(isChecked || null)} />
          {error !== undefined && (
            <p role="alert" className="mt-1 text-sm text-danger">
              {error}
            </p>
          )}
        </>
      );
    case "choice":
      return <Select<MetadataValue | null | undefined> {...chosen} options={[...mixed, none, ...field.options.map(({ id, name }) => [id, name] as const)]} />;
    case "person":
      return <Select<MetadataValue | null | undefined> {...chosen} options={[...mixed, none, ...people.map(({ id, username }) => [id, username] as const)]} />;
    case "text":
      return text.includes("\n") ? <TextArea {...typed} dir="auto" /> : <TextField {...typed} dir="auto" />;
    case "number":
      return <TextField {...typed} inputMode="decimal" />;
    case "date":
      return <TextField {...typed} type="date" max="9999-12-31" />;
    case "isrc":
      return <TextField {...typed} autoCapitalize="characters" spellCheck={false} className="tabular" />;
  }
}
