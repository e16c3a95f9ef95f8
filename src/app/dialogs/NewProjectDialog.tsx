import { useState } from "react";
import { useNavigate } from "react-router";
import { createProject } from "../../../contract/operations/projects.ts";
import { FormProblem } from "../../components/ErrorNotice.tsx";
import { t } from "../../lib/texts/dialogs.ts";
import { useCreateProject } from "../../queries/projects.ts";
import { useGroups, useTeams } from "../../queries/teams.ts";
import { useForm } from "../../queries/use-form.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../ui/Dialog.tsx";
import { SelectField, TextField } from "../../ui/Field.tsx";

/** `groupId` is the initially selected group. */
export function NewProjectDialog({ groupId, onClose }: { groupId?: number | undefined; onClose(): void }) {
  const navigate = useNavigate();
  const teams = useTeams().data ?? [];
  const groups = useGroups().data ?? [];
  const [name, setName] = useState("");
  const [group, setGroup] = useState(groupId ?? 0);
  const [selectedTeamId, setSelectedTeamId] = useState<number | null>(null);
  // Groups and teams may arrive after the dialog has opened.
  const teamId = selectedTeamId ?? groups.find(({ id }) => id === groupId)?.team_id ?? teams[0]?.id ?? 0;
  const form = useForm(useCreateProject(), createProject.body, ["name", "group_id"]);
  const groupOptions = groups.filter(({ team_id }) => team_id === teamId).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <Dialog title={t("newProject")} description={t("newProjectLead")} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const project = await form.submit(event, { name: name.trim(), team_id: teamId, group_id: group || null });
          if (!project) return;
          onClose();
          void navigate(`/projects/${project.id}/chat`);
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("projectName")}
          hint={t("projectNameHint")}
          name="name"
          autoComplete="off"
          autoFocus
          required
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={form.errorOf("name", t("projectName"))}
        />
        {teams.length > 1 && (
          <SelectField
            label={t("team")}
            value={teamId}
            onChange={(event) => {
              setSelectedTeamId(Number(event.target.value));
              setGroup(0);
            }}
          >
            {teams.map(({ id, name: title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        {groupOptions.length > 0 && (
          <SelectField label={t("group")} value={group} onChange={(event) => setGroup(Number(event.target.value))} error={form.errorOf("group_id", t("group"))}>
            <option value={0}>{t("noGroup")}</option>
            {groupOptions.map(({ id, name: title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("createProject")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
