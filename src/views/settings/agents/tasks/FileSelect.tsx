import { t } from "../../../../lib/texts/agent-tasks.ts";
import { useRecentFiles } from "../../../../queries/agents/agent-tasks.ts";
import { Select } from "../../../../ui/Select.tsx";

interface FileSelectProps {
  projectId: number;
  value: number | null;
  onChange(id: number | null): void;
  error?: string | undefined;
  /** False offers no choice of "no file". */
  isOptional?: boolean;
}

/** Chooses one of the files of a project that were changed last. */
export function FileSelect({ projectId, value, onChange, error, isOptional = true }: FileSelectProps) {
  const files = useRecentFiles(projectId).data ?? [];
  const isListed = value === null || files.some(({ id }) => id === value);
  return (
    <Select
      label={t("file")}
      value={value}
      options={[
        ...(isOptional || value === null ? [[null, t(isOptional ? "noFile" : "chooseFile")] as const] : []),
        ...(isListed ? [] : [[value, `#${value}`] as const]),
        ...files.map(({ id, name }) => [id, name] as const),
      ]}
      hint={t("fileHint")}
      onChange={onChange}
      error={error}
    />
  );
}
