import { Check, FolderPlus, X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import type { Agent } from "../../../../contract/agent-records.ts";
import type { Project } from "../../../../contract/records.ts";
import { ConfirmAction, FormDialog } from "../../../components/FormDialog.tsx";
import { ListSection } from "../../../components/ListSection.tsx";
import { roleName } from "../../../components/role-labels.ts";
import { useForm } from "../../../components/use-form.ts";
import { t } from "../../../lib/texts/agents.ts";
import { useAddAgentToProject, useRemoveAgentFromProject } from "../../../queries/agents/use-agents.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useProjects } from "../../../queries/projects.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Select } from "../../../ui/Select.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { describeAgentScope } from "./agent-scopes.ts";

/** The role, the scopes in words and the projects of an agent. */
export function Permissions({ agent }: { agent: Agent }) {
  const projects = useProjects().data ?? [];
  const canManage = useCan("agent.manage");
  const [isAdding, setIsAdding] = useState(false);
  const [projectToLeave, setProjectToLeave] = useState<Project | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const own = projects.filter(({ id }) => agent.project_ids.includes(id)).toSorted((a, b) => a.name.localeCompare(b.name));
  const others = projects.filter(({ id }) => !agent.project_ids.includes(id)).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <ListSection
      title={t("permissions")}
      lead={t("permissionsLead")}
      actions={
        canManage &&
        others.length > 0 && (
          <Button ref={addButton} icon={FolderPlus} onClick={() => setIsAdding(true)}>
            {t("addToProject")}
          </Button>
        )
      }
    >
      <dl className="divide-y divide-line">
        <Entry term={t("role")}>
          {roleName(agent.role)}
          <span className="block text-sm text-text-3">{t(agent.role === "guest" ? "roleGuest" : "roleMember")}</span>
        </Entry>
        <Entry term={t("scopes")}>
          <ul className="flex flex-col gap-1">
            {agent.scopes.map((scope) => {
              const { label, limit } = describeAgentScope(scope, agent.scopes);
              return (
                <li key={scope} className="flex items-start gap-2">
                  <Check size={16} aria-hidden className="mt-0.5 shrink-0 text-text-3" />
                  <span>
                    {label}
                    {limit && <span className="block text-sm text-text-3">{limit}</span>}
                  </span>
                </li>
              );
            })}
          </ul>
        </Entry>
        <Entry term={t("projects")}>
          {own.length === 0 ? (
            <span className="text-text-3">{t("noProjectsHelp")}</span>
          ) : (
            <ul className="flex flex-wrap gap-2">
              {own.map((project) => (
                <li key={project.id} className="flex h-8 min-w-0 items-center rounded-md border border-line bg-raised pl-2.5">
                  <Link to={`/projects/${project.id}`} className="min-w-0 truncate pr-2.5 hover:underline">
                    <bdi>{project.name}</bdi>
                  </Link>
                  {canManage && (
                    <IconButton label={t("removeFrom", { project: project.name })} className="size-7" onClick={() => setProjectToLeave(project)}>
                      <X size={14} aria-hidden />
                    </IconButton>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Entry>
      </dl>
      {isAdding && others.length > 0 && <AddToProject agent={agent} projects={others} onClose={() => setIsAdding(false)} />}
      {projectToLeave && <RemoveFromProject agent={agent} project={projectToLeave} onRemoved={focusAddButton} onClose={() => setProjectToLeave(null)} />}
    </ListSection>
  );
}

const Entry = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="flex flex-col gap-x-4 gap-y-1 py-3 tablet:flex-row">
    <dt className="w-32 shrink-0 font-medium text-text-2">{term}</dt>
    <dd className="min-w-0 flex-1">{children}</dd>
  </div>
);

function AddToProject({ agent, projects, onClose }: { agent: Agent; projects: readonly Project[]; onClose(): void }) {
  const add = useAddAgentToProject(agent.id);
  const form = useForm(add, undefined, { projectId: projects[0]!.id });
  return (
    <FormDialog
      title={t("addToProjectTitle", { name: agent.username })}
      width="sm"
      form={form}
      body={{ projectId: form.values.projectId }}
      onDone={onClose}
      onClose={onClose}
      submitLabel={t("add")}
    >
      <Select {...form.field("projectId", t("project"))} options={projects.map(({ id, name }) => [id, name])} />
    </FormDialog>
  );
}

interface RemoveFromProjectProps {
  agent: Agent;
  project: Project;
  onRemoved(): void;
  onClose(): void;
}

function RemoveFromProject({ agent, project, onRemoved, onClose }: RemoveFromProjectProps) {
  const remove = useRemoveAgentFromProject(agent.id);
  return (
    <ConfirmAction
      action={remove}
      title={t("removeTitle", { name: agent.username, project: project.name })}
      description={t("removeHelp")}
      confirmLabel={t("remove")}
      onConfirm={() =>
        void remove.mutateAsync(project.id).then(
          () => {
            onRemoved();
            onClose();
          },
          // The dialog shows the error.
          () => undefined,
        )
      }
      onClose={onClose}
    />
  );
}
