import type { Readable } from "node:stream";
import * as files from "../../../../contract/operations/files.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FileFetcher } from "../../../delivery/fetch-file.ts";
import type { Destination } from "../../../domain/files/destination.ts";
import { validNameOr } from "../../../domain/files/names.ts";
import { invalid } from "../../../lib/faults.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { list, record } from "../../answers.ts";
import { readBytes } from "../../media/incoming.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

/** Name of a fetched file when neither the caller nor the URL provides one. */
const DEFAULT_FETCHED_NAME = "file";

const parseTime = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

function parseDestination(query: { parent_id?: number | undefined; name?: string | undefined; version_of?: number | undefined }): Destination {
  if (query.version_of !== undefined) return { versionOf: query.version_of };
  if (query.parent_id === undefined) throw invalid("parent_id", "is required unless version_of is set");
  if (query.name === undefined) throw invalid("name", "is required unless version_of is set");
  return { parentId: query.parent_id, name: query.name };
}

export interface FileRouteDeps {
  present: FilePresenters;
  fetcher: FileFetcher;
}

export function fileRoutes(route: Route, services: Services, { present, fetcher }: FileRouteDeps): void {
  route(files.getFileInfo, async ({ actor, body }) => {
    const { view, results: processingResults } = await services.entries.infoWithResults(actor, body.file_id, body.version ?? null);
    return present.presentInfo(view, processingResults);
  });
  route(files.listFolder, async ({ actor, body }) => list((await services.entries.list(actor, body.file_id)).map(present.presentFile)));
  route(files.findFiles, async ({ actor, body }) => {
    const input = {
      teamId: body.team_id,
      groupId: body.group_id,
      from: parseTime(body.start_date),
      to: parseTime(body.end_date),
      limit: Math.min(body.limit ?? LIMITS.history_default, LIMITS.history_max),
      offset: body.offset ?? 0,
    };
    return list((await services.entries.find(actor, input)).map(present.presentFile));
  });
  route(files.makeFolder, async ({ actor, body, idempotencyKey }) => {
    const input = {
      parentId: body.parent_id,
      name: body.name,
      removalProtection: body.removal_protection ?? false,
      taskLoadProtection: body.task_load_protection ?? false,
    };
    return record("file", present.presentFile(await services.entries.makeFolder(actor, input, idempotencyKey)));
  });
  route(files.getFolderUrl, async ({ actor, body }) => {
    const { file } = await services.entries.info(actor, body.file_id);
    if (file.is_folder === 0) throw invalid("file_id", "must be a folder");
    return record("folder_url", { url: present.folderUrl(file) });
  });
  route(files.updateFolder, async ({ actor, body }) => {
    const input = { name: body.name, removalProtection: body.removal_protection, taskLoadProtection: body.task_load_protection };
    return record("file", present.presentFile(await services.entries.updateFolder(actor, body.file_id, input)));
  });
  route(files.renameFile, async ({ actor, body }) => record("file", present.presentFile(await services.entries.rename(actor, body.file_id, body.name))));
  route(files.deleteFile, async ({ actor, body }) =>
    record("file", present.presentFile(await services.deleting.removeOne(actor, body.file_id, body.unless_sent ?? false))),
  );
  route(files.setFileStatus, async ({ actor, body }) =>
    record(
      "file",
      present.presentCommon(
        await services.fileStatuses.set(actor, body.file_id, { statusId: body.status_id, note: body.note ?? "", ifStatusId: body.if_status_id }),
      ),
    ),
  );
  route(files.generateTags, async ({ actor, body }) =>
    record("file", present.presentCommon(await services.versions.process(actor, body.file_id, ["music", "labels"]))),
  );

  route(files.uploadExternal, async ({ actor, body, idempotencyKey }) => {
    // Checked before the fetch, so that nothing is fetched for a caller who cannot upload.
    await services.uploads.assertUploadAllowed(actor, { parentId: body.parent_id, name: body.name ?? DEFAULT_FETCHED_NAME }, undefined);
    const fetched = await fetcher.fetch(body.url);
    try {
      const destination = { parentId: body.parent_id, name: body.name ?? validNameOr(fetched.fileName, DEFAULT_FETCHED_NAME) };
      const { fileId } = await services.uploads.receive(actor, destination, fetched.body, { bytes: fetched.bytes, idempotencyKey, bytesInRequest: false });
      return { file_id: fileId };
    } finally {
      fetched.end();
    }
  });
  route(files.uploadFile, async ({ actor, query, request, idempotencyKey }) => {
    const declared = request.headers["content-length"];
    const receiveOptions = { bytes: declared === undefined ? undefined : Number(declared), idempotencyKey, bytesInRequest: true };
    const { fileId, version } = await services.uploads.receive(actor, parseDestination(query), readBytes(request.body as Readable), receiveOptions);
    return { file_id: fileId, version };
  });
}
