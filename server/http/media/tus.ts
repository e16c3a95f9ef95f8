/** Resumable uploads: tus 1.0 through @tus/server, parts on the local disk, finished ones handed to storage. */
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createUpload, getUpload } from "../../../contract/operations/files.ts";
import { line } from "../../../contract/text.ts";
import type { Actor } from "../../domain/access.ts";
import type { Destination } from "../../domain/files/destination.ts";
import { demandGoodPath } from "../../domain/files/names.ts";
import { RESUMABLE_MS } from "../../domain/files/resumable.ts";
import type { Uploaded } from "../../domain/files/uploads.ts";
import { Fault, invalid } from "../../lib/faults.ts";
import { one } from "../answers.ts";
import { faultOf } from "../problems.ts";
import type { Admit, Serve } from "../serve.ts";
import type { Services } from "../services.ts";
import { bytesOf, isStream } from "./incoming.ts";
import { PartStore } from "./part-store.ts";

const PATH = "/api/v2/uploads";
const VERSION = "1.0.0";

/** One request to @tus/server: who asks, and what came of it. */
interface Asking {
  actor: Actor;
  failure?: unknown;
  finished?: string;
  /** The upload that is given up. */
  forgets?: string;
}

function idIn(metadata: Record<string, string | null> | undefined, name: string): number | undefined {
  const text = metadata?.[name];
  if (text === undefined || text === null) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw invalid(name, "must be a positive integer");
  return Number(text);
}

function destinationOf(metadata: Record<string, string | null> | undefined): Destination {
  const versionOf = idIn(metadata, "version_of");
  if (versionOf !== undefined) return { versionOf };
  if (metadata?.["path"] !== undefined && metadata["parent_id"] === undefined) throw invalid("path", "needs parent_id");
  const name = line(255).safeParse(metadata?.["name"] ?? "");
  if (!name.success) throw invalid("name", name.error.issues[0]?.message ?? "is needed");
  const projectId = idIn(metadata, "project_id");
  if (projectId !== undefined) return { chatOf: projectId, name: name.data };
  const parentId = idIn(metadata, "parent_id");
  if (parentId === undefined) throw invalid("Upload-Metadata", "must name project_id, parent_id or version_of");
  const path = demandGoodPath(metadata?.["path"] ?? "", "path");
  return { parentId, name: name.data, ...(path.length > 0 ? { path } : {}) };
}

/** What @tus/server says to people who know the protocol, in words for the others. */
const SENTENCES: Record<number, string> = {
  404: "There is no such upload, or it has expired.",
  410: "There is no such upload, or it has expired.",
  409: "The upload stands at another offset. Ask for it with HEAD and go on from there.",
  412: `Tus-Resumable: ${VERSION} is needed.`,
  413: "The upload is larger than it declared.",
  501: "This extension of tus is not offered: an upload is one piece after the other, of a length that is declared first.",
};
/** Statuses that mean something else in this API than in @tus/server. */
const STATUSES: Record<number, number> = { 403: 400, 410: 404, 501: 400 };

/** The failure behind an error of @tus/server, of ours, or of the disk. */
function failureOf(error: unknown, status: number, text: string): unknown {
  if (error !== undefined && !(typeof error === "object" && error !== null && "status_code" in error)) return faultOf(error) ?? error;
  if (status === 500) return error ?? new Error(text);
  return new Fault(STATUSES[status] ?? status, SENTENCES[status] ?? text.trim());
}

const requestOf = (request: FastifyRequest): Request => {
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
  );
  const body = isStream(request.body) ? ReadableStream.from(bytesOf(request.body)) : null;
  const asked = new Request(new URL(request.url, "http://upload.invalid"), {
    method: request.method,
    headers,
    ...(body ? { body, duplex: "half" as const } : {}),
  } as RequestInit);
  // Where @tus/server looks for the connection, to keep what has come when it breaks.
  return Object.assign(asked, { runtime: { node: { req: request.raw } } });
};

/** Returns the work that clears away what nobody has finished in time. */
export function tusRoutes(
  app: FastifyInstance,
  serve: Serve,
  admit: Admit,
  deps: { services: Services; folder: string; uploadBytes: number },
): { expire(): Promise<number> } {
  const { resumable } = deps.services;
  const store = new PartStore({ directory: join(deps.folder, "uploads"), expirationPeriodInMilliseconds: RESUMABLE_MS });
  const asking = new AsyncLocalStorage<Asking>();
  const current = (): Asking => {
    const found = asking.getStore();
    if (!found) throw new Error("An upload outside a request");
    return found;
  };
  const finish = (actor: Actor, id: string): Promise<Uploaded> => resumable.finish(actor, id, store.pathOf(id));

  const tus = new Server({
    path: PATH,
    datastore: store,
    maxSize: deps.uploadBytes,
    relativeLocation: true,
    respectForwardedHeaders: false,
    allowedOrigins: () => false,
    async onUploadCreate(_request, upload) {
      if (upload.size === undefined) throw invalid("Upload-Length", "is needed");
      await resumable.begin(current().actor, upload.id, destinationOf(upload.metadata), upload.size);
      return {};
    },
    async onIncomingRequest(incoming, id) {
      // A new one is not noted yet; who may continue or give up one is who began it.
      if (incoming.method !== "POST") await resumable.underWay(current().actor, id);
    },
    async onUploadFinish(_request, upload) {
      const { actor } = current();
      const uploaded = await finish(actor, upload.id);
      current().finished = upload.id;
      const { fileId, version } = uploaded;
      const body = JSON.stringify({ file_id: fileId, version, landed: await resumable.landed(actor, uploaded) });
      return { status_code: 200, headers: { "Content-Type": "application/json; charset=utf-8" }, body };
    },
    onResponseError(_request, error) {
      current().failure = error;
      return undefined;
    },
  });

  async function handle(asked: Asking, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await asking.run(asked, () => tus.handleWeb(requestOf(request)));
    // Not before: @tus/server looks at the part once more after it was finished.
    if (asked.finished !== undefined) await store.discard(asked.finished);
    // Before the answer: who hears that it is gone may ask for it at once.
    if (asked.forgets !== undefined && response.ok) await resumable.forget(asked.forgets);
    const text = await response.text();
    reply.header("Tus-Resumable", VERSION).header("Cache-Control", "no-store");
    if (response.status >= 400) throw failureOf(asked.failure, response.status, text);
    for (const [name, value] of response.headers) if (name !== "content-length") reply.header(name, value);
    return reply.code(response.status).send(text === "" ? undefined : text);
  }

  serve(getUpload, async ({ actor, params }) => {
    const { upload_id: id } = params;
    const { size, done } = await resumable.underWay(actor, id);
    let uploaded = done;
    if (!uploaded) {
      const part = await store.getUpload(id).catch(() => null);
      // All bytes came, but the service stopped before it could say so.
      if (part && part.offset === size) uploaded = await finish(actor, id);
    }
    if (uploaded) await store.discard(id);
    if (!uploaded) return one("upload", { id, size, file_id: null, version: null });
    return one("upload", { id, size, file_id: uploaded.fileId, version: uploaded.version, landed: await resumable.landed(actor, uploaded) });
  });
  serve(createUpload, async ({ actor, request, reply }) => {
    // Refusals of the protocol come before the rule is asked, which `begin` does.
    actor.asked.add("file.create");
    // Before @tus/server says the same without the limit.
    resumable.demandSize(Number(request.headers["upload-length"]) || 0);
    await handle({ actor }, request, reply);
    return undefined;
  });
  app.route<{ Params: { upload_id: string } }>({
    method: ["PATCH", "HEAD", "DELETE"],
    url: `${PATH}/:upload_id`,
    exposeHeadRoute: false,
    config: { operation: createUpload },
    async handler(request, reply) {
      const actor = await admit({ ...createUpload, method: request.method === "HEAD" ? "GET" : "PATCH" }, request, reply);
      if (!actor) throw new Fault(401, "Sign in to upload.");
      return handle({ actor, ...(request.method === "DELETE" ? { forgets: request.params.upload_id } : {}) }, request, reply);
    },
  });

  return { expire: () => resumable.expire((id) => store.discard(id)) };
}
