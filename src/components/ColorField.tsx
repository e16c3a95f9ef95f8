import { Check } from "lucide-react";
import { t } from "../lib/texts/colors.ts";
import { FieldGroup } from "../ui/Field.tsx";

/** Message keys of the colors by palette index. */
const COLOR_NAMES = ["hue0", "hue1", "hue2", "hue3", "hue4", "hue5", "hue6", "hue7", "hue8", "hue9", "hue10", "hue11"] as const;
export const COLORS = COLOR_NAMES.map((_, index) => index);

/** Returns the name of a palette color by its index. */
export const colorName = (index: number): string => t(COLOR_NAMES[index] ?? "hue0");

interface Props {
  value: number;
  error?: string | undefined;
  onChange(color: number): void;
}

/** Chooses one of the colors of the palette, each with its name. */
export function ColorField({ value, error, onChange }: Props) {
  return (
    <FieldGroup label={t("color")} error={error}>
      <div className="grid grid-cols-3 gap-1.5">
        {COLORS.map((index) => (
          <label
            key={index}
            className="flex min-h-9 items-center gap-2 rounded-md border border-line px-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
          >
            <input type="radio" name="color" value={index} checked={index === value} onChange={() => onChange(index)} className="sr-only" />
            <span data-hue={index} className="hue-dot size-3 shrink-0 rounded-full" />
            <span className="min-w-0 flex-1 truncate text-sm">{colorName(index)}</span>
            {index === value && <Check size={14} aria-hidden className="shrink-0" />}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
