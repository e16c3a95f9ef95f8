import { Pencil } from "lucide-react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { MeasuredValue } from "../model/tags.ts";

interface Props {
  name: string;
  measured: MeasuredValue;
  /** Opens the correction form; null if the value cannot be corrected. */
  edit: { label: string; open: boolean; onPress(): void } | null;
  className?: string;
}

/** Renders one measured value on a card. */
export function EditableValue({ name, measured: { value, unit, note, corrected }, edit, className }: Props) {
  return (
    <div className={classes("relative rounded-lg border border-line bg-surface px-3.5 py-2.5", className)}>
      <dt className="text-sm text-text-2">{name}</dt>
      <dd>
        {value !== null && <bdi className="text-lg font-semibold">{value}</bdi>}
        {unit !== null && <span className="text-sm text-text-2"> {unit}</span>}
        {corrected !== null && (
          <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-xs text-text-2">
            <span className="rounded-full bg-accent-soft px-1.5 font-medium text-accent-text">{t("corrected")}</span>
            {corrected}
          </span>
        )}
        {note !== null && <span className="block text-xs text-text-2">{note}</span>}
        {edit && (
          <IconButton label={edit.label} aria-expanded={edit.open} onClick={edit.onPress} className="absolute top-1 right-1">
            <Pencil size={14} aria-hidden />
          </IconButton>
        )}
      </dd>
    </div>
  );
}
