/** The metadata templates of each of the user's teams, usually one. */
import { ArrowUpDown, Plus, Tags } from "lucide-react";
import { useRef, useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import type { MetadataTemplate } from "../../../../contract/metadata-records.ts";
import { RELEASE_TEMPLATE, releaseFields } from "../../../../contract/release-template.ts";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { ListSection, ListState } from "../../../components/ListSection.tsx";
import { t } from "../../../lib/texts/metadata-settings.ts";
import { useCreateTemplate, useTemplates } from "../../../queries/metadata/use-templates.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useTeams } from "../../../queries/teams.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { useFocusAfterRemoval } from "../../../ui/use-focus-after-removal.ts";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { TemplateForm } from "./TemplateForm.tsx";
import { TemplateOrder } from "./TemplateOrder.tsx";
import { TemplateSection } from "./TemplateSection.tsx";

export function MetadataPage() {
  const teams = useTeams();
  if (!teams.data) {
    return (
      <ListSection title={t("metadata")}>
        <ListState query={teams} rows={4} />
      </ListSection>
    );
  }
  return teams.data.map((team) => <TeamMetadata key={team.id} teamId={team.id} name={teams.data.length > 1 ? team.name : null} />);
}

type ActiveDialog = { kind: "new" | "order" } | { kind: "edit" | "delete"; template: MetadataTemplate };

/** Shows the templates of one team, read-only for users who cannot manage them. */
function TeamMetadata({ teamId, name }: { teamId: number; name: string | null }) {
  const list = useTemplates(teamId);
  const canManage = useCan("metadata_template.manage");
  const [dialog, setDialog] = useState<ActiveDialog | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const focusAddButton = useFocusAfterRemoval(addButton);
  const templates = list.data ?? [];
  const isFull = templates.length >= LIMITS.metadata_templates_per_team;
  const close = () => setDialog(null);
  // Another user may have deleted the template of the open dialog.
  const openDialog = dialog && (!("template" in dialog) || templates.some(({ id }) => id === dialog.template.id)) ? dialog : null;
  return (
    <>
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 max-w-130">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a page without any control is scrolled by keyboard from here */}
          <h2 tabIndex={canManage ? undefined : 0} className="text-lg font-semibold">
            {name ?? t("metadata")}
          </h2>
          <p className="text-text-2">{t(canManage ? "lead" : "leadReadOnly")}</p>
        </div>
        {canManage && list.data && (
          <span className="flex flex-wrap items-center gap-2">
            {templates.length > 1 && (
              <Button icon={ArrowUpDown} onClick={() => setDialog({ kind: "order" })}>
                {t("reorder")}
              </Button>
            )}
            <Button
              icon={Plus}
              ref={addButton}
              variant={templates.length > 0 ? "primary" : "secondary"}
              disabled={isFull}
              onClick={() => setDialog({ kind: "new" })}
            >
              {t("addTemplate")}
            </Button>
          </span>
        )}
      </header>
      <ListState query={list} rows={4} />
      {list.data && templates.length === 0 && <NoTemplates teamId={teamId} canManage={canManage} />}
      {templates.map((template) => (
        <TemplateSection
          key={template.id}
          teamId={teamId}
          template={template}
          canManage={canManage}
          onEdit={() => setDialog({ kind: "edit", template })}
          onDelete={() => setDialog({ kind: "delete", template })}
        />
      ))}
      {canManage && isFull && <p className="mb-8 text-text-2">{t("full", { most: LIMITS.metadata_templates_per_team })}</p>}
      {openDialog?.kind === "order" && <TemplateOrder teamId={teamId} templates={templates} onClose={close} />}
      {(openDialog?.kind === "new" || openDialog?.kind === "edit") && (
        <TemplateForm teamId={teamId} templates={templates} template={openDialog.kind === "edit" ? openDialog.template : null} onClose={close} />
      )}
      {openDialog?.kind === "delete" && <DeleteDialog teamId={teamId} template={openDialog.template} field={null} onDeleted={focusAddButton} onClose={close} />}
    </>
  );
}

/** Offers a template to begin with. */
function NoTemplates({ teamId, canManage }: { teamId: number; canManage: boolean }) {
  const create = useCreateTemplate(teamId);
  return (
    <div className="rounded-lg border border-line">
      <EmptyState
        icon={<Tags size={22} aria-hidden />}
        title={t("empty")}
        actions={
          canManage && (
            <Button
              variant="primary"
              pending={create.isPending}
              onClick={() => create.mutate({ name: RELEASE_TEMPLATE, kinds: ["audio"], fields: releaseFields() })}
            >
              {t("startRelease")}
            </Button>
          )
        }
      >
        {t(canManage ? "emptyHelp" : "emptyReadOnly")}
      </EmptyState>
      <ErrorNotice error={create.error} className="m-4" />
    </div>
  );
}
