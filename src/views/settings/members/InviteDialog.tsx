import { useState } from "react";
import { inviteMember as operation } from "../../../../contract/operations/teams.ts";
import { canSeeEverything, isAllowed } from "../../../../contract/policy.ts";
import { type Project, type Role, ROLES } from "../../../../contract/records.ts";
import { useServiceTime } from "../../../client/client.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { roleDescription, roleName } from "../../../components/role-labels.ts";
import { SecretStep } from "../../../components/SecretDialog.tsx";
import { t } from "../../../lib/texts/settings.ts";
import { formatLongDay } from "../../../lib/time.ts";
import { useInviteMember } from "../../../queries/invites.ts";
import { useProjects } from "../../../queries/projects.ts";
import { useSession } from "../../../queries/session.ts";
import { useTeams } from "../../../queries/teams.ts";
import { useForm } from "../../../queries/use-form.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { CheckField, SelectField, TextField } from "../../../ui/Field.tsx";

/** Creates an invite link for one person and shows it once. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const now = useServiceTime();
  const session = useSession();
  const team = useTeams().data?.[0];
  const projects = (useProjects().data ?? []).filter(({ team_id }) => team_id === team?.id).toSorted((a, b) => a.name.localeCompare(b.name));
  const [role, setRole] = useState<Role>("member");
  const [selectedProjectIds, setSelectedProjectIds] = useState<ReadonlySet<number>>(new Set());
  const [email, setEmail] = useState("");
  const [link, setLink] = useState<{ url?: string | undefined; expires_at: string } | null>(null);
  const form = useForm(useInviteMember(), operation.body, ["email", "role", "project_ids"]);

  if (link) {
    return (
      <Dialog
        title={t("inviteReady")}
        description={link.url !== undefined && t("inviteReadyHelp", { day: formatLongDay(link.expires_at, now) })}
        closeLabel={t("close")}
        onClose={onClose}
      >
        <SecretStep label={t("inviteLabel")} secret={link.url} hiddenText={t("inviteHidden")} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("inviteTitle")} description={t("inviteLead")} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const project_ids = canSeeEverything(role) ? [] : projects.map(({ id }) => id).filter((id) => selectedProjectIds.has(id));
          const body = { team_id: team?.id ?? 0, role, project_ids, email: email.trim() === "" ? null : email.trim() };
          const invite = await form.submit(
            event,
            body,
            role === "guest" && project_ids.length === 0 ? [{ path: "project_ids", message: t("inviteGuestNeedsProject") }] : [],
          );
          if (invite) setLink(invite);
        }}
      >
        <FormProblem problem={form.problem} />
        <SelectField
          label={t("role")}
          hint={roleDescription(role)}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
          error={form.errorOf("role", t("role"))}
        >
          {ROLES.filter((newRole) => isAllowed("team.invite", session.role, { newRole })).map((option) => (
            <option key={option} value={option}>
              {roleName(option)}
            </option>
          ))}
        </SelectField>
        <ProjectsField
          role={role}
          projects={projects}
          selectedIds={selectedProjectIds}
          onChange={setSelectedProjectIds}
          error={form.errorOf("project_ids", t("inviteProjects"))}
        />
        <TextField
          label={t("inviteEmail")}
          hint={t("inviteEmailHint")}
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={form.errorOf("email", t("email"))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending} disabled={!team}>
            {t("inviteCreate")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface ProjectsFieldProps {
  role: Role;
  projects: readonly Project[];
  selectedIds: ReadonlySet<number>;
  onChange(selectedIds: ReadonlySet<number>): void;
  error: string | undefined;
}

/** Selects the projects that a member or guest can see. */
function ProjectsField({ role, projects, selectedIds, onChange, error }: ProjectsFieldProps) {
  const toggle = (id: number, isSelected: boolean) => {
    const next = new Set(selectedIds);
    if (isSelected) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset aria-describedby={error ? "projects-error" : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{t("inviteProjects")}</legend>
      {canSeeEverything(role) ? (
        <p className="text-sm text-text-3">{t("inviteAll")}</p>
      ) : projects.length === 0 ? (
        <p className="text-sm text-text-3">{role === "guest" ? t("inviteNoProjectsGuest") : t("inviteNoProjects")}</p>
      ) : (
        <div className="flex max-h-48 flex-col gap-1 overflow-y-auto rounded-md border border-field-line px-3 py-2">
          {projects.map((project, index) => (
            <CheckField
              key={project.id}
              label={project.name}
              // Only the first field is marked invalid, so that it receives the focus.
              aria-invalid={(error !== undefined && index === 0) || undefined}
              checked={selectedIds.has(project.id)}
              onChange={(event) => toggle(project.id, event.target.checked)}
            />
          ))}
        </div>
      )}
      {error && (
        <p id="projects-error" role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
