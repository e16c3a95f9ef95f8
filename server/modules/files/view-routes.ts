import type { ValidatedInput } from "../../../contract/define-operation.ts";
import type { EntryKind } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { parseTime } from "../../lib/iso-time.ts";
import { decodeDeletedCursor, encodeDeletedCursor } from "./deleted-entries.ts";
import { decodeFileCursor, encodeNameCursor, type Filter, parseNamePage } from "./page-query.ts";
import type { FilePresenters } from "./presenter.ts";
import type { FileServices } from "./services.ts";

const DEFAULT_PAGE_SIZE = 100;

function parseFilter(query: ValidatedInput<typeof view.listFiles>["query"]): Filter {
  return {
    q: query.q ?? null,
    kinds: (query.kind as EntryKind[] | undefined) ?? null,
    statusIds: query.status_id?.map((id) => (id === "none" ? null : Number(id))) ?? null,
    bpmMin: query.bpm_min ?? null,
    bpmMax: query.bpm_max ?? null,
    key: query.key ?? null,
    tag: query.tag ?? null,
    uploaderIds: query.uploader?.map(Number) ?? null,
    from: parseTime(query.from),
    to: parseTime(query.to),
    metadata: null,
    withoutField: null,
  };
}

export function registerFilesViewRoutes(route: Route, services: FileServices, present: FilePresenters): void {
  route(view.listFiles, async ({ actor, params, query }) => {
    const columns = await services.listing.metadataOf(actor, params.project_id, {
      fieldIds: query.fields?.map(Number) ?? [],
      sortFieldId: query.sort_field_id ?? null,
      conditions: query.metadata ?? [],
    });
    const order = { sort: query.sort ?? "name", descending: query.order === "desc", field: columns.sortField };
    return services.listing.listText(actor, params.project_id, {
      ...order,
      columns: columns.fields,
      folderId: query.folder_id ?? null,
      deep: query.deep === "true",
      filter: { ...parseFilter(query), metadata: columns.tests },
      cursor: decodeFileCursor(query.cursor, order),
      limit: Math.min(query.limit ?? DEFAULT_PAGE_SIZE, LIMITS.files_page_max),
    });
  });
  route(view.listFolders, async ({ actor, params, query }) => {
    const { entries, last } = await services.listing.folders(actor, params.project_id, parseNamePage(query));
    return list(entries.map(present.presentEntry), { next_cursor: encodeNameCursor(last) });
  });
  route(view.getFileFacets, ({ actor, params, query }) => services.facets.facetsText(actor, params.project_id, query.folder_id ?? null));
  route(view.listDeletedFiles, async ({ actor, params, query }) => {
    const limit = Math.min(query.limit ?? LIMITS.history_max, LIMITS.history_max);
    const { entries, last } = await services.deletedEntries.list(actor, params.project_id, decodeDeletedCursor(query.cursor), limit);
    return list(entries.map(present.presentDeletedEntry), { next_cursor: encodeDeletedCursor(last) });
  });
  route(view.getDeletedFile, async ({ actor, params }) =>
    single("deleted_file", present.presentDeletedEntry(await services.deletedEntries.get(actor, params.file_id))),
  );
  route(view.moveFiles, async ({ actor, body }) => list((await services.moving.move(actor, body.file_ids, body.parent_id)).map(present.presentEntry)));
  route(view.deleteFiles, async ({ actor, body, idempotencyKey }) => single("deletion", await services.deleting.remove(actor, body.file_ids, idempotencyKey)));
  route(view.restoreFiles, async ({ actor, body }) => list((await services.restoring.restore(actor, body.file_ids)).map(present.presentEntry)));
  route(view.updateFile, async ({ actor, params, body }) => {
    const input = { name: body.name, removalProtection: body.removal_protection, taskLoadProtection: body.task_load_protection };
    return single("file", present.presentEntry(await services.entries.update(actor, params.file_id, input)));
  });
  route(view.getArchive, async ({ actor, query, request, reply }) => {
    await services.archiveDownloads.send(actor, () => services.archives.pack(actor, query.ids, query.name ?? null), request, reply);
    return undefined;
  });
}
