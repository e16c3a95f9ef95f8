/** Dialogs that create a project, a group of projects or a playlist. */
import { useState } from "react";
import { useNavigate } from "react-router";
import { cleanName } from "../../../contract/text.ts";
import { createProject } from "../../../contract/operations/projects.ts";
import { createGroup } from "../../../contract/operations/teams.ts";
import { FormDialog } from "../../components/FormDialog.tsx";
import { NewPlaylistDialog } from "../../components/playlists/PlaylistForm.tsx";
import { playlistPath } from "../../components/playlists/playlist-queue.ts";
import { useForm } from "../../components/use-form.ts";
import { t } from "../../lib/texts/dialogs.ts";
import { useCreateProject } from "../../queries/projects.ts";
import { useCreateGroup, useGroups, useTeams } from "../../queries/teams.ts";
import { TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";

const NAME_PROPS = { name: "name", autoComplete: "off", autoFocus: true, required: true, maxLength: 120 };

export function NewGroupDialog({ onClose }: { onClose(): void }) {
  const teams = useTeams().data ?? [];
  const [selectedTeamId, setSelectedTeamId] = useState<number | null>(null);
  // The teams may arrive after the dialog has opened.
  const teamId = selectedTeamId ?? teams[0]?.id ?? 0;
  const form = useForm(useCreateGroup(), createGroup.body, { name: "" });
  return (
    <FormDialog
      title={t("newGroup")}
      description={t("newGroupLead")}
      form={form}
      body={{ name: cleanName(form.values.name), team_id: teamId }}
      onDone={onClose}
      onClose={onClose}
      submitLabel={t("createGroup")}
    >
      <TextField {...form.field("name", t("groupName"))} {...NAME_PROPS} />
      <TeamSelect value={teamId} onChange={setSelectedTeamId} />
    </FormDialog>
  );
}

/** `groupId` is the initially selected group. */
export function NewProjectDialog({ groupId, onClose }: { groupId?: number | undefined; onClose(): void }) {
  const navigate = useNavigate();
  const teams = useTeams().data ?? [];
  const groups = useGroups().data ?? [];
  const [selectedTeamId, setSelectedTeamId] = useState<number | null>(null);
  // Groups and teams may arrive after the dialog has opened.
  const teamId = selectedTeamId ?? groups.find(({ id }) => id === groupId)?.team_id ?? teams[0]?.id ?? 0;
  const form = useForm(useCreateProject(), createProject.body, { name: "", group_id: groupId ?? null });
  const teamGroups = groups.filter(({ team_id }) => team_id === teamId).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <FormDialog
      title={t("newProject")}
      description={t("newProjectLead")}
      form={form}
      body={{ name: cleanName(form.values.name), team_id: teamId, group_id: form.values.group_id }}
      onDone={(project) => {
        onClose();
        void navigate(`/projects/${project.id}/chat`);
      }}
      onClose={onClose}
      submitLabel={t("createProject")}
    >
      <TextField {...form.field("name", t("projectName"))} hint={t("projectNameHint")} {...NAME_PROPS} />
      <TeamSelect
        value={teamId}
        onChange={(id) => {
          setSelectedTeamId(id);
          form.setValues({ group_id: null });
        }}
      />
      {teamGroups.length > 0 && (
        <Select {...form.field("group_id", t("group"))} options={[[null, t("noGroup")], ...teamGroups.map(({ id, name }) => [id, name] as const)]} />
      )}
    </FormDialog>
  );
}

/** Selects a team, if there are several. */
function TeamSelect({ value, onChange }: { value: number; onChange(id: number): void }) {
  const teams = useTeams().data ?? [];
  return teams.length > 1 && <Select label={t("team")} value={value} onChange={onChange} options={teams.map(({ id, name }) => [id, name])} />;
}

/** Creates a playlist in a project that is chosen in the dialog, and opens it. */
export function NewPlaylist({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  return <NewPlaylistDialog projectId={null} onCreated={({ id }) => void navigate(playlistPath(id))} onClose={onClose} />;
}
