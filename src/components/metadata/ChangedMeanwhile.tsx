import { t } from "../../lib/texts/metadata.ts";
import { Button } from "../../ui/Button.tsx";

interface ChangedMeanwhileProps {
  /** What the files that somebody else has changed show now; null without a value. */
  values: readonly (string | null)[];
  /** How many files are edited together. */
  fileCount: number;
  onKeep(): void;
  onReplace(): void;
}

/** Says what somebody else has set while a person edits a field, and lets the person decide. */
export function ChangedMeanwhile({ values, fileCount, onKeep, onReplace }: ChangedMeanwhileProps) {
  return (
    <div role="alert" className="mt-1.5 text-sm">
      <p className="wrap-anywhere text-danger">{describeChange(values, fileCount)}</p>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeep}>
          {t("keepTheirs")}
        </Button>
        <Button size="sm" variant="ghost" onClick={onReplace}>
          {t("useMine")}
        </Button>
      </div>
    </div>
  );
}

function describeChange(values: readonly (string | null)[], total: number): string {
  const [value = null] = values;
  const count = values.length;
  if (values.some((other) => other !== value)) return t("changedInFiles", { count, total });
  if (value === null) return total === 1 ? t("removedMeanwhile") : t("removedInFiles", { count, total });
  return total === 1 ? t("changedMeanwhile", { value }) : t("setInFiles", { value, count, total });
}
