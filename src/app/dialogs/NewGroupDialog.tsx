import { useState } from "react";
import { createGroup } from "../../../contract/operations/teams.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { t } from "../../lib/texts/dialogs.ts";
import { useCreateGroup, useTeams } from "../../queries/teams.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { SelectField, TextField } from "../../ui/Field.tsx";

export function NewGroupDialog({ onClose }: { onClose(): void }) {
  const teams = useTeams().data ?? [];
  const [name, setName] = useState("");
  const [selectedTeamId, setSelectedTeamId] = useState<number | null>(null);
  // The teams may arrive after the dialog has opened.
  const teamId = selectedTeamId ?? teams[0]?.id ?? 0;
  const form = useForm(useCreateGroup(), createGroup.body, ["name"]);
  return (
    <Dialog title={t("newGroup")} description={t("newGroupLead")} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          if (await form.submit(event, { name: name.trim(), team_id: teamId })) onClose();
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("groupName")}
          name="name"
          autoComplete="off"
          autoFocus
          required
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={form.errorOf("name", t("groupName"))}
        />
        {teams.length > 1 && (
          <SelectField label={t("team")} value={teamId} onChange={(event) => setSelectedTeamId(Number(event.target.value))}>
            {teams.map(({ id, name: title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("createGroup")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
