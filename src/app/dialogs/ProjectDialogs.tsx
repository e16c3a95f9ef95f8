/** Dialogs that rename, move, color or delete a project or a group. */
import { useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { updateProject } from "../../../contract/operations/projects.ts";
import { updateGroup } from "../../../contract/operations/teams.ts";
import type { Group, Project } from "../../../contract/records.ts";
import { cleanName } from "../../../contract/text.ts";
import { ColorField } from "../../components/ColorField.tsx";
import { ConfirmAction, FormDialog } from "../../components/FormDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { hueOfItem } from "../../lib/hue.ts";
import { t } from "../../lib/texts/projects.ts";
import { useDeleteGroup, useDeleteProject, useUpdateGroup, useUpdateProject } from "../../queries/project-mutations.ts";
import { useProjects } from "../../queries/projects.ts";
import { useGroups } from "../../queries/teams.ts";
import { announce } from "../../ui/announce.ts";
import { TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";
import { useOpenProjectId } from "../shell/use-open-project.ts";
import { useProjectActions } from "../../components/projects/use-project-actions.ts";
import type { OpenDialog } from "./dialog-context.ts";

type Action = Extract<OpenDialog, { kind: "project" | "group" }>["action"];

/** Shows nothing once somebody else has deleted the project. */
export function ProjectDialog({ id, action, onClose }: { id: number; action: Action; onClose(): void }) {
  const project = useProjects().data?.find((candidate) => candidate.id === id);
  if (!project) return null;
  if (action === "move") return <MoveProject project={project} onClose={onClose} />;
  if (action === "delete") return <DeleteProject project={project} onClose={onClose} />;
  return <EditProject key={action} project={project} part={action} onClose={onClose} />;
}

/** Shows nothing once somebody else has deleted the group. */
export function GroupDialog({ id, action, onClose }: { id: number; action: Action; onClose(): void }) {
  const group = useGroups().data?.find((candidate) => candidate.id === id);
  if (!group || action === "move") return null;
  if (action === "delete") return <DeleteGroup group={group} onClose={onClose} />;
  return <EditGroup group={group} part={action} onClose={onClose} />;
}

interface EditProps {
  part: "rename" | "color";
  onClose(): void;
}

function EditProject({ project, part, onClose }: EditProps & { project: Project }) {
  const form = useForm(useUpdateProject(), updateProject.body, { name: project.name, color: hueOfItem(project) });
  return <EditDialog form={form} record={project} part={part} onClose={onClose} />;
}

function EditGroup({ group, part, onClose }: EditProps & { group: Group }) {
  const form = useForm(useUpdateGroup(), updateGroup.body, { name: group.name, color: hueOfItem(group) });
  return <EditDialog form={form} record={group} part={part} onClose={onClose} />;
}

interface Body {
  id: number;
  name?: string | undefined;
  color?: number | null | undefined;
}
type EditForm = ReturnType<typeof useForm<{ name: string; color: number }, Body, { name: string }>>;

function EditDialog({ form, record, part, onClose }: EditProps & { form: EditForm; record: { id: number; name: string } }) {
  const { name, color } = form.values;
  // Others may rename the record while the dialog is open; its title stays.
  const [title] = useState(() => t(part === "rename" ? "renameTitle" : "colorTitle", { name: record.name }));
  return (
    <FormDialog
      title={title}
      width="sm"
      form={form}
      body={part === "rename" ? { id: record.id, name: cleanName(name) } : { id: record.id, color }}
      onDone={(saved) => {
        if (part === "rename") announce(t("renamedToast", { name: saved.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t("save")}
    >
      {part === "rename" ? (
        <TextField {...form.field("name", t("name"))} name="name" autoComplete="off" autoFocus required maxLength={120} />
      ) : (
        <ColorField value={color} error={form.errorOf("color", t("color"))} onChange={(chosen) => form.setValues({ color: chosen })} />
      )}
    </FormDialog>
  );
}

function MoveProject({ project, onClose }: { project: Project; onClose(): void }) {
  const groups = (useGroups().data ?? []).filter(({ team_id }) => team_id === project.team_id).toSorted((a, b) => a.name.localeCompare(b.name));
  const form = useForm(useUpdateProject(), updateProject.body, { group_id: project.group_id });
  return (
    <FormDialog
      title={t("moveTitle", { name: project.name })}
      description={t("moveLead")}
      width="sm"
      form={form}
      body={{ id: project.id, group_id: form.values.group_id }}
      onDone={onClose}
      onClose={onClose}
      submitLabel={t("moveAction")}
    >
      <Select autoFocus {...form.field("group_id", t("group"))} options={[[null, t("noGroup")], ...groups.map(({ id, name }) => [id, name] as const)]} />
    </FormDialog>
  );
}

function DeleteProject({ project, onClose }: { project: Project; onClose(): void }) {
  const remove = useDeleteProject();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const openPath = useOpenProjectId() === project.id ? pathname + search : null;
  const { offerRestore } = useProjectActions();
  /** The dialog is gone with the project before the callbacks of `mutate` would run. */
  const confirm = () =>
    void remove.mutateAsync(project.id).then(
      () => {
        onClose();
        if (openPath !== null) void navigate("/");
        offerRestore(project, openPath);
      },
      // The dialog shows the error.
      () => undefined,
    );
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name: project.name })}
      description={t("deleteHelp")}
      confirmLabel={t("deleteAction")}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function DeleteGroup({ group, onClose }: { group: Group; onClose(): void }) {
  const remove = useDeleteGroup();
  const { offerRecreate } = useProjectActions();
  const projects = (useProjects().data ?? []).filter(({ group_id }) => group_id === group.id);
  const count = projects.length;
  /** The dialog is gone with the group before the callbacks of `mutate` would run. */
  const confirm = () =>
    void remove.mutateAsync(group.id).then(
      () => {
        onClose();
        offerRecreate(group, projects);
      },
      // The dialog shows the error.
      () => undefined,
    );
  return (
    <ConfirmAction
      action={remove}
      title={t("deleteTitle", { name: group.name })}
      description={count > 0 ? t("deleteGroupHelp", { count }) : t("deleteEmptyGroupHelp")}
      confirmLabel={t("deleteGroupAction")}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
