import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { FileCommon } from "../../../../contract/records.ts";
import type { MetadataTemplate, MetadataValues } from "../../../../contract/metadata-records.ts";
import { useClient } from "../../../client/client.ts";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { saveFrom } from "../../../lib/browser.ts";
import { t } from "../../../lib/texts/metadata.ts";
import { formatErrorReason } from "../../../queries/describe-error.ts";
import { usePeople } from "../../../queries/members.ts";
import { useFileMetadata, useMetadataSuggestions } from "../../../queries/metadata/use-file-metadata.ts";
import { requestTaggedCopy } from "../../../queries/metadata/metadata-files.ts";
import { templatesForKind, useTemplates } from "../../../queries/metadata/use-templates.ts";
import { useCan } from "../../../queries/permissions.ts";
import { useOptionalSession } from "../../../queries/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { useToasts } from "../../../ui/toast.ts";
import { versionOf } from "../file-info.ts";
import { FieldEditor } from "./FieldEditor.tsx";
import { formatFieldValue } from "../../../components/metadata/field-values.ts";

/** Shows the metadata of a file by the templates of its team, and lets people edit it. Nothing is rendered where there is nothing to read or set up. */
export function MetadataPanel({ common, kind }: { common: FileCommon; kind: string }) {
  const { id, project_id, file_team_id } = common;
  const templates = useTemplates(file_team_id);
  const metadata = useFileMetadata(id);
  const canManage = useCan("metadata_template.manage");
  const canEdit = useCan("metadata.edit", { isOwn: common.account_id === useOptionalSession()?.account.id });
  const shown = templatesForKind(templates.data ?? [], kind);
  const error = templates.error ?? metadata.error;
  const isLoaded = templates.data !== undefined && metadata.values !== undefined;
  if (!error && !isLoaded && (templates.isPending || metadata.isPending))
    return (
      <PanelFrame>
        <RowsSkeleton rows={2} />
      </PanelFrame>
    );
  if (!isLoaded) {
    const retry = () => void Promise.all([templates.refetch(), metadata.refetch()]);
    return <PanelFrame>{error && <LoadError error={error} retry={retry} />}</PanelFrame>;
  }
  if (shown.length === 0) {
    if (!canManage) return null;
    return (
      <PanelFrame>
        <p className="mt-1 text-text-2">
          {t("noFields")}{" "}
          <Link to="/settings/metadata" className="text-link underline">
            {t("setUp")}
          </Link>
        </p>
      </PanelFrame>
    );
  }
  const hasTags = shown.some(({ fields }) => fields.some((field) => field.tag !== null && metadata.values?.[field.id] !== undefined));
  return (
    <PanelFrame>
      {canEdit ? (
        <EditableFields fileId={id} projectId={project_id} version={versionOf(common)} templates={shown} values={metadata.values ?? {}} />
      ) : (
        <ReadOnlyFields projectId={project_id} templates={shown} values={metadata.values ?? {}} />
      )}
      {kind === "audio" && hasTags && <TaggedDownload common={common} />}
    </PanelFrame>
  );
}

function PanelFrame({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="metadata" className="min-w-0 border-b border-line px-4 py-5 tablet:px-5">
      <h2 id="metadata" className="font-semibold">
        {t("metadata")}
      </h2>
      {children}
    </section>
  );
}

interface FieldsProps {
  projectId: number;
  templates: readonly MetadataTemplate[];
  values: MetadataValues;
}

function EditableFields({ fileId, projectId, version, templates, values }: FieldsProps & { fileId: number; version: number | null }) {
  const isMissingTag = templates.some(({ fields }) => fields.some(({ id, tag }) => tag !== null && values[id] === undefined));
  const suggestions = useMetadataSuggestions(fileId, version, isMissingTag).data?.values;
  return templates.map((template) => (
    <fieldset key={template.id} className="mt-3 min-w-0">
      <legend className="text-sm font-medium text-text-2">{template.name}</legend>
      <div className="mt-2 grid gap-x-4 gap-y-3 @min-[28rem]:grid-cols-2">
        {template.fields.map((field) => (
          <FieldEditor key={field.id} fileId={fileId} projectId={projectId} field={field} value={values[field.id]} suggestion={suggestions?.[field.id]} />
        ))}
      </div>
    </fieldset>
  ));
}

function ReadOnlyFields({ projectId, templates, values }: FieldsProps) {
  const personOf = usePeople(projectId);
  const groups = templates
    .map(({ id, name, fields }) => ({
      id,
      name,
      facts: fields.flatMap((field) => {
        const text = formatFieldValue(field, values[field.id], (account) => personOf(account)?.name);
        return text === null ? [] : [{ id: field.id, name: field.name, text }];
      }),
    }))
    .filter(({ facts }) => facts.length > 0);
  if (groups.length === 0) return <p className="mt-1 text-text-2">{t("nothing")}</p>;
  return groups.map(({ id, name, facts }) => (
    <div key={id} className="mt-3">
      <h3 className="text-sm font-medium text-text-2">{name}</h3>
      <dl className="mt-1.5 grid grid-cols-2 gap-x-5 gap-y-3 tablet:grid-cols-3">
        {facts.map((fact) => (
          <div key={fact.id} className="min-w-0">
            <dt className="text-sm text-text-2">{fact.name}</dt>
            <dd dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {fact.text}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  ));
}

/** Saves a copy of the version whose tags carry the metadata; the stored file stays as it is. */
function TaggedDownload({ common }: { common: FileCommon }) {
  const client = useClient();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const download = async () => {
    setIsBusy(true);
    try {
      const { address, release } = await requestTaggedCopy(client, common, versionOf(common));
      saveFrom(address, client.api.hasToken ? common.name : "", release);
    } catch (error) {
      toasts.showError(t("downloadFailed", { name: common.name, reason: formatErrorReason(error) }));
    }
    setIsBusy(false);
  };
  return (
    <Button icon={Download} size="sm" className="mt-4" pending={isBusy} onClick={() => void download()}>
      {t("downloadTagged")}
    </Button>
  );
}
