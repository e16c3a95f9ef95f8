import type { FileStatus } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/status-settings.ts";
import { describeError } from "../../../queries/problems.ts";
import { useSetDefaultStatus } from "../../../queries/statuses/use-change-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { SelectField } from "../../../ui/Field.tsx";

interface Props {
  teamId: number;
  statuses: readonly FileStatus[];
  defaultId: number | null;
}

/** Selects the status of new uploads. */
export function DefaultStatus({ teamId, statuses, defaultId }: Props) {
  const setDefault = useSetDefaultStatus(teamId);
  const selectedId = setDefault.isPending ? setDefault.variables : defaultId;
  return (
    <SelectField
      label={t("default")}
      hint={t("defaultHelp")}
      error={setDefault.error ? describeError(setDefault.error).title : undefined}
      className="mb-8 max-w-80"
      value={selectedId ?? ""}
      onChange={({ target }) => {
        const id = target.value === "" ? null : Number(target.value);
        const title = statuses.find((status) => status.id === id)?.title ?? t("defaultNone");
        setDefault.mutate(id, { onSuccess: () => announce(t("defaultSaved", { title })) });
      }}
    >
      <option value="">{t("defaultNone")}</option>
      {statuses.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}
