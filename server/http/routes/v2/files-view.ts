import * as view from "../../../../contract/operations/files-view.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { EntryKind } from "../../../../contract/file-records.ts";
import type { Checked } from "../../../../contract/define.ts";
import { cursorAt } from "../../../domain/files/page-query.ts";
import type { Filter } from "../../../domain/files/filter.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { presentFileStatus } from "../../../presenters/records.ts";
import type { Storage } from "../../../storage/storage.ts";
import { list, one } from "../../answers.ts";
import { sendArchive } from "../../media/send-archive.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { readFileCursor, writeFileCursor } from "../file-cursor.ts";

const PAGE_DEFAULT = 100;

function filterOf(query: Checked<typeof view.listFiles>["query"]): Filter {
  const timeOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
  return {
    q: query.q ?? null,
    kinds: (query.kind as EntryKind[] | undefined) ?? null,
    statusIds: query.status_id?.map((id) => (id === "none" ? null : Number(id))) ?? null,
    bpmMin: query.bpm_min ?? null,
    bpmMax: query.bpm_max ?? null,
    key: query.key ?? null,
    tag: query.tag ?? null,
    uploaderIds: query.uploader?.map(Number) ?? null,
    from: timeOf(query.from),
    to: timeOf(query.to),
  };
}

export function filesViewRoutes(serve: Serve, services: Services, present: FilePresenters, storage: Storage): void {
  serve(view.listFiles, async ({ actor, params, query }) => {
    const order = { sort: query.sort ?? "name", descending: query.order === "desc" };
    const { entries, last } = await services.listing.list(actor, params.project_id, {
      ...order,
      folderId: query.folder_id ?? null,
      deep: query.deep === "true",
      filter: filterOf(query),
      cursor: readFileCursor(query.cursor, order),
      limit: Math.min(query.limit ?? PAGE_DEFAULT, LIMITS.files_page_max),
    });
    return list(entries.map(present.presentEntry), { next_cursor: last ? writeFileCursor(cursorAt(order, last), order) : null });
  });
  serve(view.listFolders, async ({ actor, params }) => list((await services.listing.folders(actor, params.project_id)).map(present.presentEntry)));
  serve(view.getFileFacets, async ({ actor, params }) => {
    const { kinds, statuses, keys, tags, uploaders, bpm } = await services.facets.facets(actor, params.project_id);
    return one("file_facets", {
      kinds: kinds.map(({ value, count }) => ({ kind: value, count })),
      statuses: statuses.map(({ value, count }) => ({ status: value && presentFileStatus(value), count })),
      keys: keys.map(({ value, count }) => ({ key: value, count })),
      tags: tags.map(({ value, count }) => ({ tag: value, count })),
      uploaders: uploaders.map(({ value, count }) => ({ account_id: value, count })),
      bpm,
    });
  });
  serve(view.moveFiles, async ({ actor, body }) => list((await services.moving.move(actor, body.file_ids, body.parent_id)).map(present.presentEntry)));
  serve(view.deleteFiles, async ({ actor, body, repeat }) => one("deletion", await services.deleting.remove(actor, body.file_ids, repeat)));
  serve(view.restoreFiles, async ({ actor, body }) => list((await services.restoring.restore(actor, body.file_ids)).map(present.presentEntry)));
  serve(view.updateFile, async ({ actor, params, body }) => {
    const wish = { name: body.name, removalProtection: body.removal_protection, taskLoadProtection: body.task_load_protection };
    return one("file", present.presentEntry(await services.entries.update(actor, params.file_id, wish)));
  });
  serve(view.getArchive, async ({ actor, query, request, reply }) => {
    await sendArchive(storage, await services.archives.pack(actor, query.ids, query.name ?? null), request, reply);
    return undefined;
  });
}
