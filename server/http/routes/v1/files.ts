import type { Readable } from "node:stream";
import * as files from "../../../../contract/operations/files.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FileFetcher } from "../../../delivery/fetch-file.ts";
import type { Destination } from "../../../domain/files/destination.ts";
import { goodNameOr } from "../../../domain/files/names.ts";
import { invalid } from "../../../lib/faults.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { list, one } from "../../answers.ts";
import { bytesOf } from "../../media/incoming.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

/** What a fetched file is called when neither the caller nor its address says. */
const FETCHED = "file";

const timeOf = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

function destinationOf(query: { parent_id?: number | undefined; name?: string | undefined; version_of?: number | undefined }): Destination {
  if (query.version_of !== undefined) return { versionOf: query.version_of };
  if (query.parent_id === undefined) throw invalid("parent_id", "is needed, or version_of");
  if (query.name === undefined) throw invalid("name", "is needed, or version_of");
  return { parentId: query.parent_id, name: query.name };
}

export interface FileRouteDeps {
  present: FilePresenters;
  fetcher: FileFetcher;
}

export function fileRoutes(serve: Serve, services: Services, { present, fetcher }: FileRouteDeps): void {
  serve(files.getFileInfo, async ({ actor, body }) => {
    const { view, found } = await services.entries.findings(actor, body.file_id);
    return present.presentInfo(view, found);
  });
  serve(files.listFolder, async ({ actor, body }) => list((await services.entries.list(actor, body.file_id)).map(present.presentFile)));
  serve(files.findFiles, async ({ actor, body }) => {
    const wish = {
      teamId: body.team_id,
      groupId: body.group_id,
      from: timeOf(body.start_date),
      to: timeOf(body.end_date),
      limit: Math.min(body.limit ?? LIMITS.history_default, LIMITS.history_max),
      offset: body.offset ?? 0,
    };
    return list((await services.entries.find(actor, wish)).map(present.presentFile));
  });
  serve(files.makeFolder, async ({ actor, body, repeat }) => {
    const wish = {
      parentId: body.parent_id,
      name: body.name,
      removalProtection: body.removal_protection ?? false,
      taskLoadProtection: body.task_load_protection ?? false,
    };
    return one("file", present.presentFile(await services.entries.makeFolder(actor, wish, repeat)));
  });
  serve(files.getFolderUrl, async ({ actor, body }) => {
    const { file } = await services.entries.info(actor, body.file_id);
    if (file.is_folder === 0) throw invalid("file_id", "must be a folder");
    return one("folder_url", { url: present.folderUrl(file) });
  });
  serve(files.updateFolder, async ({ actor, body }) => {
    const wish = { name: body.name, removalProtection: body.removal_protection, taskLoadProtection: body.task_load_protection };
    return one("file", present.presentFile(await services.entries.updateFolder(actor, body.file_id, wish)));
  });
  serve(files.renameFile, async ({ actor, body }) => one("file", present.presentFile(await services.entries.rename(actor, body.file_id, body.name))));
  serve(files.deleteFile, async ({ actor, body }) =>
    one("file", present.presentFile(await services.deleting.removeOne(actor, body.file_id, body.unless_sent ?? false))),
  );
  serve(files.setFileStatus, async ({ actor, body }) =>
    one(
      "file",
      present.presentCommon(
        await services.fileStatuses.set(actor, body.file_id, { statusId: body.status_id, note: body.note ?? "", ifStatusId: body.if_status_id }),
      ),
    ),
  );
  serve(files.generateTags, async ({ actor, body }) =>
    one("file", present.presentCommon(await services.versions.process(actor, body.file_id, ["music", "labels"]))),
  );

  serve(files.uploadExternal, async ({ actor, body, repeat }) => {
    // Before anything is fetched for somebody who may not keep it.
    await services.uploads.demandPossible(actor, { parentId: body.parent_id, name: body.name ?? FETCHED }, undefined);
    const fetched = await fetcher.fetch(body.url);
    try {
      const to = { parentId: body.parent_id, name: body.name ?? goodNameOr(fetched.fileName, FETCHED) };
      const { fileId } = await services.uploads.receive(actor, to, fetched.body, { bytes: fetched.bytes, repeat, ownBytes: false });
      return { file_id: fileId };
    } finally {
      fetched.end();
    }
  });
  serve(files.uploadFile, async ({ actor, query, request, repeat }) => {
    const declared = request.headers["content-length"];
    const arrival = { bytes: declared === undefined ? undefined : Number(declared), repeat, ownBytes: true };
    const { fileId, version } = await services.uploads.receive(actor, destinationOf(query), bytesOf(request.body as Readable), arrival);
    return { file_id: fileId, version };
  });
}
