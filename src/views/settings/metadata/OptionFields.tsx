import { Plus, X } from "lucide-react";
import { LIMITS } from "../../../../contract/limits.ts";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { FieldGroup, TextField } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { ReorderableRow, useReorder } from "../../../ui/ReorderableRow.tsx";
import { moveItem } from "../../../ui/use-row-drag.ts";
import type { OptionDraft } from "./option-drafts.ts";

interface OptionFieldsProps {
  options: readonly OptionDraft[];
  /** Options whose name an earlier one has. */
  takenKeys: ReadonlySet<number>;
  error: string | undefined;
  onChange(options: OptionDraft[]): void;
}

/** Edits the options of a choice; dragging a row by its handle or pressing arrow keys on the handle moves it. */
export function OptionFields({ options, takenKeys, error, onChange }: OptionFieldsProps) {
  const labelOf = ({ name }: OptionDraft, index: number) => name || t("option", { position: index + 1 });
  function moveTo(key: number, position: number) {
    const from = options.findIndex((option) => option.key === key);
    const option = options[from];
    if (!option) return;
    onChange(moveItem(options, from, position));
    announce(t("moved", { name: labelOf(option, from), position: position + 1, count: options.length }));
  }
  const reorder = useReorder({ count: options.length, onMove: moveTo });
  return (
    <FieldGroup label={t("options")} error={error}>
      <ol>
        {options.map((option, index) => (
          <ReorderableRow
            key={option.key}
            reorder={reorder}
            id={option.key}
            index={index}
            handleLabel={t("move", { name: labelOf(option, index), position: index + 1, count: options.length })}
            className="items-start gap-1.5 py-0.75"
          >
            <TextField
              label={t("option", { position: index + 1 })}
              labelHidden
              className="min-w-0 flex-1"
              autoComplete="off"
              maxLength={LIMITS.metadata_option_characters}
              value={option.name}
              error={takenKeys.has(option.key) ? t("optionTaken") : undefined}
              onChange={(name) => onChange(options.with(index, { ...option, name }))}
            />
            <IconButton icon={X} iconSize={16} label={t("removeOption", { position: index + 1 })} onClick={() => onChange(options.toSpliced(index, 1))} />
          </ReorderableRow>
        ))}
      </ol>
      <Button
        icon={Plus}
        size="sm"
        variant="ghost"
        className="mt-1.5"
        disabled={options.length >= LIMITS.metadata_options_per_field}
        onClick={() => onChange([...options, { key: Math.max(-1, ...options.map(({ key }) => key)) + 1, name: "" }])}
      >
        {t("addOption")}
      </Button>
    </FieldGroup>
  );
}
