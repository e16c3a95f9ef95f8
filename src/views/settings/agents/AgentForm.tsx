import { type Agent, AGENT_ROLES, AGENT_SCOPES } from "../../../../contract/agent-records.ts";
import { createAgent, updateAgent } from "../../../../contract/operations/agents.ts";
import { cleanName } from "../../../../contract/text.ts";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { roleName } from "../../../components/role-labels.ts";
import { ScopeFields } from "../../../components/tokens/ScopeFields.tsx";
import { useForm } from "../../../components/use-form.ts";
import { t } from "../../../lib/texts/agents.ts";
import { t as tCommon } from "../../../lib/texts/common.ts";
import { useCreateAgent, useUpdateAgent } from "../../../queries/agents/use-agents.ts";
import { useProjects } from "../../../queries/projects.ts";
import { announce } from "../../../ui/announce.ts";
import { CheckField, FieldGroup, TextArea, TextField } from "../../../ui/Field.tsx";
import { Select } from "../../../ui/Select.tsx";
import { describeAgentScope } from "./agent-scopes.ts";

type AgentScope = (typeof AGENT_SCOPES)[number];
const DEFAULT_SCOPES: readonly AgentScope[] = ["account:read", "chat:read", "chat:write", "files:read"];
const ROLE_OPTIONS = AGENT_ROLES.map((role) => [role, roleName(role)] as const);

interface AgentFormProps {
  /** Null creates a new agent. */
  agent: Agent | null;
  onSaved(agent: Agent): void;
  onClose(): void;
}

/** Edits an agent, or creates one and puts it into projects. */
export function AgentForm({ agent, onSaved, onClose }: AgentFormProps) {
  const create = useCreateAgent();
  const update = useUpdateAgent(agent?.id ?? 0);
  const form = useForm(agent ? update : create, (agent ? updateAgent : createAgent).body, {
    username: agent?.username ?? "",
    user_info: agent?.user_info ?? "",
    role: AGENT_ROLES.find((role) => role === agent?.role) ?? "member",
    scopes: agent ? AGENT_SCOPES.filter((scope) => agent.scopes.includes(scope)) : DEFAULT_SCOPES,
    project_ids: [] as readonly number[],
  });
  const { username, user_info, role, scopes, project_ids } = form.values;
  const content = { username: cleanName(username), user_info: user_info.trim(), role, scopes: [...scopes] };
  return (
    <FormDialog
      title={agent ? t("editTitle", { name: agent.username }) : t("newAgent")}
      form={form}
      body={agent ? content : { ...content, project_ids: [...project_ids] }}
      onDone={(saved) => {
        announce(t("saved", { name: saved.username }));
        onSaved(saved);
      }}
      onClose={onClose}
      submitLabel={agent ? tCommon("save") : t("create")}
    >
      <TextField {...form.field("username", t("name"))} hint={t("nameHint")} autoComplete="off" autoFocus required maxLength={80} />
      <TextArea {...form.field("user_info", t("about"))} hint={t("aboutHint")} maxLength={500} rows={2} />
      <Select {...form.field("role", t("role"))} options={ROLE_OPTIONS} hint={t(role === "guest" ? "roleGuest" : "roleMember")} />
      <ScopeFields
        label={t("scopes")}
        error={form.errorOf("scopes", t("scopes"))}
        options={AGENT_SCOPES}
        scopes={scopes}
        describe={describeAgentScope}
        onChange={(next) => form.setValues({ scopes: next })}
      />
      {!agent && (
        <ProjectFields selected={project_ids} error={form.errorOf("project_ids", t("projects"))} onChange={(next) => form.setValues({ project_ids: next })} />
      )}
    </FormDialog>
  );
}

interface ProjectFieldsProps {
  selected: readonly number[];
  error: string | undefined;
  onChange(ids: readonly number[]): void;
}

function ProjectFields({ selected, error, onChange }: ProjectFieldsProps) {
  const projects = useProjects().data ?? [];
  if (projects.length === 0) return null;
  return (
    <FieldGroup label={t("projects")} error={error}>
      <div className="flex max-h-52 flex-col gap-1 overflow-y-auto rounded-md border border-line p-3">
        {projects
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id, name }) => (
            <CheckField
              key={id}
              label={<bdi className="wrap-anywhere">{name}</bdi>}
              checked={selected.includes(id)}
              onChange={(isChecked) => onChange(isChecked ? [...selected, id] : selected.filter((other) => other !== id))}
            />
          ))}
      </div>
      <p className="mt-1.5 text-sm text-text-3">{t("projectsHint")}</p>
    </FieldGroup>
  );
}
