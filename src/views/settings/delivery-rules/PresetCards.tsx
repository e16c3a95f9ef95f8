import { t } from "../../../lib/texts/delivery-rules.ts";
import { FieldGroup } from "../../../ui/Field.tsx";
import { describeRules, type EditedRules } from "./format-rules.ts";
import { PRESETS } from "./presets.ts";

/** Offers rules to begin with, each with what it fills in. */
export function PresetCards({ onSelect }: { onSelect(name: string, rules: EditedRules): void }) {
  return (
    <FieldGroup label={t("startWith")}>
      <div className="grid gap-2 tablet:grid-cols-3">
        {PRESETS.map(({ name, rules }) => (
          <button
            key={name}
            type="button"
            onClick={() => onSelect(t(name), rules)}
            className="flex flex-col gap-0.5 rounded-md border border-line-strong bg-raised px-3 py-2.5 text-left transition-colors hover:bg-hover"
          >
            <span className="font-medium">{t(name)}</span>
            {linesOf(rules).map((line) => (
              <span key={line} className="text-sm text-text-2">
                {line}
              </span>
            ))}
          </button>
        ))}
      </div>
      <p className="mt-2 text-sm text-text-3">{t("startHelp")}</p>
    </FieldGroup>
  );
}

/** Returns what a card lists: loudness and peak, sample rates, and the rest. */
function linesOf(rules: EditedRules): string[] {
  const texts = describeRules(rules).map(({ text }) => text);
  return [...texts.slice(0, 3), texts.slice(3).join(", ")];
}
