/** Routes of metadata templates, fields and values. */
import * as metadata from "../../../contract/operations/metadata.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { NewField } from "./new-fields.ts";
import { presentField, presentFileMetadata, presentRevision, presentTemplate } from "./presenter.ts";
import type { MetadataServices } from "./services.ts";
import type { Deletion } from "./templates.ts";

interface FieldBody {
  name: string;
  type: NewField["type"];
  options?: NewField["options"] | undefined;
  help?: string | undefined;
  tag?: string | null | undefined;
}

const toNewField = ({ name, type, options, help, tag }: FieldBody): NewField => ({ name, type, options: options ?? [], help: help ?? "", tag: tag ?? null });
const presentDeletion = ({ id, valueCount, restorableUntil }: Deletion) =>
  single("metadata_deletion", { id, value_count: valueCount, restorable_until: restorableUntil });

export function registerMetadataRoutes(route: Route, services: MetadataServices): void {
  const { metadataTemplates, metadataFields, metadataUsage, metadataValues, metadataListing, metadataSuggestions } = services;
  route(metadata.listMetadataTemplates, async ({ actor, params }) => list((await metadataTemplates.list(actor, params.team_id)).map(presentTemplate)));
  route(metadata.createMetadataTemplate, async ({ actor, params, body, idempotencyKey }) => {
    const input = { name: body.name, kinds: body.kinds ?? null, fields: (body.fields ?? []).map(toNewField) };
    return single("metadata_template", presentTemplate(await metadataTemplates.create(actor, params.team_id, input, idempotencyKey)));
  });
  route(metadata.updateMetadataTemplate, async ({ actor, params, body }) => {
    const changes = { name: body.name, kinds: body.kinds, position: body.position };
    return single("metadata_template", presentTemplate(await metadataTemplates.update(actor, params.template_id, changes)));
  });
  route(metadata.deleteMetadataTemplate, async ({ actor, params }) => presentDeletion(await metadataTemplates.remove(actor, params.template_id)));
  route(metadata.restoreMetadataTemplate, async ({ actor, params }) =>
    single("metadata_template", presentTemplate(await metadataTemplates.restore(actor, params.template_id))),
  );
  route(metadata.getMetadataTemplateUsage, async ({ actor, params }) => single("metadata_usage", await metadataUsage.count(actor, params.template_id)));
  route(metadata.createMetadataField, async ({ actor, params, body, idempotencyKey }) => {
    const input = { ...toNewField(body), position: body.position };
    return single("metadata_field", presentField(await metadataFields.create(actor, params.template_id, input, idempotencyKey)));
  });
  route(metadata.updateMetadataField, async ({ actor, params, body }) => {
    const { name, help, tag, position, options, lost_value_count: lostValueCount } = body;
    return single("metadata_field", presentField(await metadataFields.update(actor, params.field_id, { name, help, tag, position, options, lostValueCount })));
  });
  route(metadata.deleteMetadataField, async ({ actor, params }) => presentDeletion(await metadataFields.remove(actor, params.field_id)));
  route(metadata.restoreMetadataField, async ({ actor, params }) =>
    single("metadata_field", presentField(await metadataFields.restore(actor, params.field_id))),
  );

  route(metadata.getFileMetadata, async ({ actor, params }) => single("file_metadata", presentFileMetadata(await metadataValues.get(actor, params.file_id))));
  route(metadata.getMetadataSuggestions, async ({ actor, params }) => {
    const { fileId, values } = await metadataSuggestions.suggest(actor, params.file_id);
    return single("metadata_suggestions", { file_id: fileId, values });
  });
  route(metadata.updateFileMetadata, async ({ actor, params, body }) =>
    single("file_metadata", presentFileMetadata(await metadataValues.update(actor, params.file_id, body.values, body.if_values ?? {}))),
  );
  route(metadata.listFileMetadata, async ({ actor, params, query }) => {
    const { views, nextCursor } = await metadataListing.list(actor, params.project_id, query.file_ids.map(Number), query);
    return list(views.map(presentFileMetadata), { next_cursor: nextCursor });
  });
  route(metadata.updateProjectMetadata, async ({ actor, params, body }) => {
    const changes = body.changes.map(({ file_ids, values, if_values }) => ({ fileIds: file_ids, values, ifValues: if_values ?? {} }));
    return list((await metadataValues.updateMany(actor, params.project_id, changes)).map(presentRevision));
  });
}
