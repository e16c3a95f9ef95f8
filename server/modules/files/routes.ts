/** Routes of files and folders, their versions, media and tags. */
import type { Readable } from "node:stream";
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tags from "../../../contract/operations/tags.ts";
import type { FileFetcher } from "../../delivery/fetch-file.ts";
import { readBytes } from "../../http/body.ts";
import { sendBytes } from "../../http/send-bytes.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { invalid } from "../../lib/errors.ts";
import { iso, parseTime } from "../../lib/iso-time.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Destination } from "./destination.ts";
import { createFetchLimits } from "./fetch-limits.ts";
import { validNameOr } from "./names.ts";
import { encodeNameCursor, parseNamePage } from "./page-query.ts";
import type { FilePresenters } from "./presenter.ts";
import type { FileServices } from "./services.ts";

/** Name of a fetched file when neither the caller nor the URL provides one. */
const DEFAULT_FETCHED_NAME = "file";

export interface FileRouteDeps {
  present: FilePresenters;
  storage: Storage;
  publicUrl: string;
  /** Fetches files from URLs that callers name. */
  fetcher: FileFetcher;
}

export function registerFileRoutes(route: Route, services: FileServices, deps: FileRouteDeps): void {
  registerEntryRoutes(route, services, deps.present);
  registerUploadRoutes(route, services, deps.fetcher);
  registerMediaRoutes(route, services, deps);
  registerTagRoutes(route, services, deps.present);
}

function registerEntryRoutes(route: Route, services: FileServices, present: FilePresenters): void {
  route(files.getFileInfo, async ({ actor, body }) => {
    const { view, results: processingResults } = await services.entries.infoWithResults(actor, body.file_id, body.version ?? null);
    return present.presentInfo(view, processingResults);
  });
  route(files.listFolder, async ({ actor, body }) => {
    const { entries, last } = await services.listing.listFolder(actor, body.file_id, parseNamePage(body));
    return list(entries.map(present.presentFile), { has_more: last !== null, next_cursor: encodeNameCursor(last) });
  });
  route(files.findFiles, async ({ actor, body }) => {
    const input = {
      teamId: body.team_id,
      groupId: body.group_id,
      query: body.query,
      name: body.name,
      tag: body.tag,
      statusId: body.status_id,
      from: parseTime(body.start_date),
      to: parseTime(body.end_date),
      limit: Math.min(body.limit ?? LIMITS.history_default, LIMITS.history_max),
      offset: body.offset ?? 0,
    };
    return list((await services.entries.find(actor, input)).map(present.presentFile));
  });
  route(files.createFolder, async ({ actor, body, idempotencyKey }) => {
    const input = {
      parentId: body.parent_id,
      name: body.name,
      removalProtection: body.removal_protection ?? false,
      taskLoadProtection: body.task_load_protection ?? false,
    };
    return single("file", present.presentFile(await services.entries.createFolder(actor, input, idempotencyKey)));
  });
  route(files.getFolderUrl, async ({ actor, body }) => {
    const { file } = await services.entries.info(actor, body.file_id);
    if (file.is_folder === 0) throw invalid("file_id", "must be a folder");
    return single("folder_url", { url: present.folderUrl(file) });
  });
  route(files.updateFolder, async ({ actor, body }) => {
    const input = { name: body.name, removalProtection: body.removal_protection, taskLoadProtection: body.task_load_protection };
    return single("file", present.presentFile(await services.entries.updateFolder(actor, body.file_id, input)));
  });
  route(files.renameFile, async ({ actor, body }) => single("file", present.presentFile(await services.entries.rename(actor, body.file_id, body.name))));
  route(files.deleteFile, async ({ actor, body }) =>
    single("file", present.presentFile(await services.deleting.removeOne(actor, body.file_id, body.unless_sent ?? false))),
  );
  route(files.generateTags, async ({ actor, body }) =>
    single("file", present.presentCommon(await services.versions.process(actor, body.file_id, ["music", "labels"]))),
  );
}

function registerUploadRoutes(route: Route, services: FileServices, fetcher: FileFetcher): void {
  const fetchLimits = createFetchLimits();
  route(files.uploadExternal, async ({ actor, body, idempotencyKey }) => {
    // Checked before the fetch, so that nothing is fetched for a caller who cannot upload.
    await services.uploads.assertUploadAllowed(actor, { parentId: body.parent_id, name: body.name ?? DEFAULT_FETCHED_NAME }, undefined);
    return fetchLimits.run(actor, async () => {
      const fetched = await fetcher.fetch(body.url);
      try {
        const destination = { parentId: body.parent_id, name: body.name ?? validNameOr(fetched.fileName, DEFAULT_FETCHED_NAME) };
        const { fileId } = await services.uploads.receive(actor, destination, fetched.body, { bytes: fetched.bytes, idempotencyKey, bytesInRequest: false });
        return { file_id: fileId };
      } finally {
        fetched.end();
      }
    });
  });
  route(files.uploadFile, async ({ actor, query, request, idempotencyKey }) => {
    const declared = request.headers["content-length"];
    const receiveOptions = { bytes: declared === undefined ? undefined : Number(declared), idempotencyKey, bytesInRequest: true };
    const { fileId, version } = await services.uploads.receive(actor, parseDestination(query), readBytes(request.body as Readable), receiveOptions);
    return { file_id: fileId, version };
  });
}

function registerMediaRoutes(route: Route, services: FileServices, { present, storage, publicUrl }: FileRouteDeps): void {
  route(files.listVersions, async ({ actor, params, query }) => {
    // Newest first, so the next page continues below the cursor's number.
    const { after: before, limit } = parsePage(query);
    const { versions, next } = await services.versions.list(actor, params.file_id, before, limit);
    return list(versions.map(present.presentVersion), { next_cursor: encodeCursor(next) });
  });
  route(files.restoreVersion, async ({ actor, params, idempotencyKey }) =>
    single("file", present.presentCommon(await services.versions.restore(actor, params.file_id, params.number, idempotencyKey))),
  );
  route(files.getPeaks, async ({ actor, params, query }) => {
    const { version, peaks } = await services.versions.peaks(actor, params.file_id, query.version ?? null);
    return single("peaks", {
      version: version.number,
      channels: peaks.channels,
      sample_rate: peaks.sampleRate,
      duration: version.duration ?? 0,
      levels: peaks.levels.map((level, index) => ({
        samples_per_pixel: level.samplesPerPixel,
        length: level.length,
        bytes: level.bytes,
        url: present.peaksUrl(version, index),
      })),
    });
  });
  route(files.retryProcessing, async ({ actor, params }) => single("file", present.presentCommon(await services.versions.process(actor, params.file_id))));
  route(files.createSignedUrl, async ({ actor, params, body }) => {
    const { token, copies, expiresAt } = await services.signedUrls.sign(actor, params.file_id, {
      number: body.version ?? null,
      variant: body.variant ?? "original",
      seconds: body.expires_in ?? 3_600,
    });
    const toUrl = (signed: string) => `${publicUrl}/api/v2/media/${signed}`;
    const urls = Object.fromEntries(Object.entries(copies).map(([variant, signed]) => [variant, toUrl(signed)]));
    return single("signed_url", { url: toUrl(token), urls, expires_at: iso(expiresAt) });
  });
  route(files.getContent, async ({ actor, params, query, request, reply }) => {
    await sendBytes(storage, await services.versions.content(actor, params.file_id, params.number, params.variant), request, reply, {
      download: query.download !== undefined,
    });
    return undefined;
  });
  route(files.getPeaksLevel, async ({ actor, params, request, reply }) => {
    await sendBytes(storage, await services.versions.peaksLevel(actor, params.file_id, params.number, params.level), request, reply);
    return undefined;
  });
  route(files.getSignedContent, async ({ params, query, request, reply }) => {
    const content = await services.signedUrls.open(params.token);
    // The signed URL itself grants access, so pages of other origins may play its media.
    reply.header("Cross-Origin-Resource-Policy", "cross-origin");
    await sendBytes(storage, content, request, reply, { download: query.download !== undefined });
    return undefined;
  });
}

function registerTagRoutes(route: Route, services: FileServices, present: FilePresenters): void {
  route(tags.correctTags, async ({ actor, params, body }) => {
    await services.tagCorrections.correct(actor, params.file_id, body);
    const { view, results: processingResults } = await services.entries.infoWithResults(actor, params.file_id, null);
    return present.presentInfo(view, processingResults);
  });
  route(tags.regenerateTags, async ({ actor, params }) =>
    single("file", present.presentCommon(await services.versions.process(actor, params.file_id, ["music", "labels"]))),
  );
}

function parseDestination(query: { parent_id?: number | undefined; name?: string | undefined; version_of?: number | undefined }): Destination {
  if (query.version_of !== undefined) return { versionOf: query.version_of };
  if (query.parent_id === undefined) throw invalid("parent_id", "is required unless version_of is set");
  if (query.name === undefined) throw invalid("name", "is required unless version_of is set");
  return { parentId: query.parent_id, name: query.name };
}
