import type { FileStatus } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/status-settings.ts";
import { explain } from "../../../queries/problems.ts";
import { useSetDefaultStatus } from "../../../queries/statuses/use-change-statuses.ts";
import { announce } from "../../../ui/announce.ts";
import { SelectField } from "../../../ui/Field.tsx";

interface Props {
  teamId: number;
  statuses: readonly FileStatus[];
  defaultId: number | null;
}

/** What new uploads begin with. */
export function DefaultStatus({ teamId, statuses, defaultId }: Props) {
  const set = useSetDefaultStatus(teamId);
  const shown = set.isPending ? set.variables : defaultId;
  return (
    <SelectField
      label={t("default")}
      hint={t("defaultHelp")}
      error={set.error ? explain(set.error).title : undefined}
      className="mb-8 max-w-80"
      value={shown ?? ""}
      onChange={({ target }) => {
        const id = target.value === "" ? null : Number(target.value);
        const title = statuses.find((one) => one.id === id)?.title ?? t("defaultNone");
        set.mutate(id, { onSuccess: () => announce(t("defaultSaved", { title })) });
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
