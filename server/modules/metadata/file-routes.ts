/** Routes that carry metadata in files: CSV, and downloads with tags. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as metadata from "../../../contract/operations/metadata-files.ts";
import { readBytes } from "../../http/body.ts";
import { single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { contentDisposition } from "../../http/send-bytes.ts";
import { assertCsv } from "./csv-import.ts";
import { readText } from "./read-table.ts";
import type { MetadataServices } from "./services.ts";

function prepare(reply: FastifyReply, name: string, type: string): FastifyReply {
  return reply
    .header("Cache-Control", "private, no-store")
    .header("Content-Security-Policy", "sandbox; default-src 'none'")
    .header("Content-Disposition", contentDisposition("attachment", name))
    .type(type);
}
const bodyFor = ({ method }: FastifyRequest, open: () => Readable): Readable => (method === "HEAD" ? Readable.from([]) : open());

export function registerMetadataFileRoutes(route: Route, { csvExport, csvImport, taggedDownloads, taggedArchives, archiveDownloads }: MetadataServices): void {
  route(metadata.exportMetadata, async ({ actor, params, query, request, reply }) => {
    const { name, body } = await csvExport.export(actor, params.project_id, query.folder_id ?? null);
    await prepare(reply, name, "text/csv; charset=utf-8; header=present").send(bodyFor(request, () => body));
    return undefined;
  });
  route(metadata.importMetadata, async ({ actor, params, query, request }) => {
    assertCsv(request.headers["content-type"]);
    const text = await readText(readBytes(request.body as Readable));
    return single("metadata_import", await csvImport.import(actor, params.project_id, text, query.dry_run === "true", query.if_digest ?? null));
  });
  route(metadata.downloadWithMetadata, async ({ actor, params, query, request, reply }) => {
    const copy = await taggedDownloads.open(actor, params.file_id, query.version ?? null);
    await prepare(reply, copy.name, copy.mediaType)
      .header("Content-Length", String(copy.length))
      .send(bodyFor(request, () => copy.open()));
    return undefined;
  });
  route(metadata.getArchiveWithMetadata, async ({ actor, query, request, reply }) => {
    await archiveDownloads.send(actor, () => taggedArchives.pack(actor, query.ids, query.name ?? null), request, reply);
    return undefined;
  });
}
