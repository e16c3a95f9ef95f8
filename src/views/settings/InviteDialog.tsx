import { useState } from "react";
import { inviteMember as operation } from "../../../contract/operations/teams.ts";
import { canSeeEverything, isAllowed } from "../../../contract/policy.ts";
import { type Project, type Role, ROLES } from "../../../contract/records.ts";
import { useServiceTime } from "../../client/client.ts";
import { FormDialog } from "../../components/FormDialog.tsx";
import { roleDescription, roleName } from "../../components/role-labels.ts";
import { SecretStep } from "../../components/SecretDialog.tsx";
import { useForm } from "../../components/use-form.ts";
import { t } from "../../lib/texts/settings.ts";
import { formatLongDay } from "../../lib/time.ts";
import { useInviteMember } from "../../queries/invites.ts";
import { useActiveProjects } from "../../queries/projects.ts";
import { useSession } from "../../queries/session.ts";
import { useTeams } from "../../queries/teams.ts";
import { CheckField, FieldGroup, TextField } from "../../ui/Field.tsx";
import { Select } from "../../ui/Select.tsx";

const INITIAL: { role: Role; project_ids: readonly number[]; email: string } = { role: "member", project_ids: [], email: "" };

/** Creates an invite link for one person and shows it once. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const now = useServiceTime();
  const session = useSession();
  const team = useTeams().data?.[0];
  const projects = useActiveProjects().filter(({ team_id }) => team_id === team?.id);
  const [link, setLink] = useState<{ url?: string | undefined; expires_at: string } | null>(null);
  const form = useForm(useInviteMember(), operation.body, INITIAL);
  const { role } = form.values;
  const email = form.values.email.trim();
  const project_ids = canSeeEverything(role) ? [] : projects.map(({ id }) => id).filter((id) => form.values.project_ids.includes(id));

  return (
    <FormDialog
      title={link ? t("inviteReady") : t("inviteTitle")}
      description={link ? link.url !== undefined && t("inviteReadyHelp", { day: formatLongDay(link.expires_at, now) }) : t("inviteLead")}
      form={form}
      body={{ team_id: team?.id ?? 0, role, project_ids, email: email === "" ? null : email }}
      extraErrors={role === "guest" && project_ids.length === 0 ? [{ path: "project_ids", message: t("inviteGuestNeedsProject") }] : []}
      onDone={setLink}
      onClose={onClose}
      submitLabel={t("inviteCreate")}
      isDisabled={!team}
      result={link && <SecretStep label={t("inviteLabel")} secret={link.url} hiddenText={t("inviteHidden")} onClose={onClose} />}
    >
      <Select
        {...form.field("role", t("role"))}
        hint={roleDescription(role)}
        options={ROLES.filter((newRole) => isAllowed("team.invite", session.role, { newRole })).map((option) => [option, roleName(option)])}
      />
      <ProjectsField {...form.field("project_ids", t("inviteProjects"))} role={role} projects={projects} />
      <TextField {...form.field("email", t("email"))} label={t("inviteEmail")} hint={t("inviteEmailHint")} type="email" autoComplete="off" />
    </FormDialog>
  );
}

interface ProjectsFieldProps {
  label: string;
  role: Role;
  projects: readonly Project[];
  value: readonly number[];
  onChange(value: readonly number[]): void;
  error: string | undefined;
}

/** Selects the projects that a member or guest can see. */
function ProjectsField({ label, role, projects, value, onChange, error }: ProjectsFieldProps) {
  return (
    <FieldGroup label={label} error={error}>
      {canSeeEverything(role) ? (
        <p className="text-sm text-text-3">{t("inviteAll")}</p>
      ) : projects.length === 0 ? (
        <p className="text-sm text-text-3">{role === "guest" ? t("inviteNoProjectsGuest") : t("inviteNoProjects")}</p>
      ) : (
        <div className="flex max-h-48 flex-col gap-1 overflow-y-auto rounded-md border border-field-line px-3 py-2">
          {projects.map(({ id, name }, index) => (
            <CheckField
              key={id}
              label={name}
              // Only the first field is marked invalid, so that it receives the focus.
              aria-invalid={(error !== undefined && index === 0) || undefined}
              checked={value.includes(id)}
              onChange={(isSelected) => onChange(isSelected ? [...value, id] : value.filter((other) => other !== id))}
            />
          ))}
        </div>
      )}
    </FieldGroup>
  );
}
