/** Resumable uploads: tus 1.0 with @tus/server, whose store of parts is in `part-stores.ts`. */
import { ERRORS, Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { createUpload, getUpload } from "../../../contract/operations/files.ts";
import type { Actor } from "../../access/access.ts";
import { readBytes, isStream } from "../../http/body.ts";
import type { SessionLocks } from "../../db/session-locks.ts";
import { toHttpError } from "../../http/problems.ts";
import { single } from "../../http/responses.ts";
import type { AuthorizedCaller, Route } from "../../http/route.ts";
import { runForCaller } from "../../lib/current-caller.ts";
import { HttpError, invalid } from "../../lib/errors.ts";
import type { Storage } from "../../storage/storage.ts";
import { parseDestination } from "./destination.ts";
import { createPartStore } from "./part-stores.ts";
import type { FileServices } from "./services.ts";
import { createUploadLocker } from "./upload-locker.ts";
import type { UploadResult } from "./uploads.ts";

const UPLOADS_PATH = "/api/v2/uploads";
const TUS_VERSION = "1.0.0";
const CHUNK_TYPE = "application/offset+octet-stream";

/** State of one request to @tus/server: its actor and its result. */
interface TusRequestContext {
  actor: Actor;
  /** The upload that the route names; absent for a new upload. */
  id?: string;
  failure?: unknown;
  finishedId?: string;
}

interface TusOptions {
  resumable: FileServices["resumable"];
  folder: string;
  maxUploadBytes: number;
  storage: Storage;
  /** Locks between processes; null where this one is the only one. */
  locks: SessionLocks | null;
}

/** Replaces protocol error messages of @tus/server with text for people who do not know tus. */
const ERROR_MESSAGES: Record<number, string> = {
  404: "No such upload, or it has expired.",
  410: "No such upload, or it has expired.",
  409: "The upload is at a different offset. Request it with HEAD and continue from there.",
  412: `Tus-Resumable: ${TUS_VERSION} is required.`,
  413: "The upload is larger than it declared.",
  501: "This tus extension is not supported. Send the upload sequentially, with its length declared first.",
};
/** HTTP statuses whose meaning in this API differs from @tus/server. */
const STATUS_OVERRIDES: Record<number, number> = { 403: 400, 410: 404, 501: 400 };

/** Returns the error behind a failed response, whether it comes from @tus/server, this code, or the disk. */
function toUploadError(error: unknown, status: number, text: string): unknown {
  if (error === ERRORS.ERR_LOCK_TIMEOUT)
    return new HttpError(409, "Another request is sending this upload. Request its offset with HEAD and continue from there.");
  if (error !== undefined && !(typeof error === "object" && error !== null && "status_code" in error)) return toHttpError(error) ?? error;
  if (status === 500) return error ?? new Error(text);
  return new HttpError(STATUS_OVERRIDES[status] ?? status, ERROR_MESSAGES[status] ?? text.trim());
}

/** The URL names only the upload of the route, because @tus/server would read an id from the end of whatever the client sent. */
const toWebRequest = (request: FastifyRequest, id: string | undefined): Request => {
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
  );
  const body = isStream(request.body) ? ReadableStream.from(readBytes(request.body)) : null;
  const webRequest = new Request(new URL(id === undefined ? UPLOADS_PATH : `${UPLOADS_PATH}/${encodeURIComponent(id)}`, "http://upload.invalid"), {
    method: request.method,
    headers,
    ...(body ? { body, duplex: "half" as const } : {}),
  } as RequestInit);
  // @tus/server reads the connection from here, so that it keeps the received bytes when the connection breaks.
  return Object.assign(webRequest, { runtime: { node: { req: request.raw } } });
};

/** Registers the upload routes. Returns the job that deletes expired uploads. */
export function registerTusRoutes(
  app: FastifyInstance,
  route: Route,
  authorizedCaller: AuthorizedCaller,
  { resumable, folder, maxUploadBytes, storage, locks }: TusOptions,
): { expire(): Promise<number> } {
  const contextStorage = new AsyncLocalStorage<TusRequestContext>();
  const currentContext = (): TusRequestContext => {
    const context = contextStorage.getStore();
    if (!context) throw new Error("An upload outside a request");
    return context;
  };
  const store = createPartStore(storage, join(folder, "uploads"), (id, offset) => resumable.reserve(currentContext().actor, id, offset), locks === null);
  const finishUpload = (actor: Actor, id: string): Promise<UploadResult> => resumable.finish(actor, id, store);

  /** Returns the size of the upload and its file, if all bytes have arrived; creates the file if the service stopped before it did so. */
  async function loadProgress(actor: Actor, id: string): Promise<{ size: number; uploaded: UploadResult | null }> {
    const { size, result } = await resumable.loadUpload(actor, id);
    if (result) return { size, uploaded: result };
    const part = await store.getUpload(id).catch(() => null);
    return { size, uploaded: part?.offset === size ? await finishUpload(actor, id) : null };
  }

  const tus = new Server({
    path: UPLOADS_PATH,
    datastore: store,
    locker: createUploadLocker(locks),
    maxSize: maxUploadBytes,
    relativeLocation: true,
    respectForwardedHeaders: false,
    allowedOrigins: () => false,
    getFileIdFromRequest: () => currentContext().id,
    async onUploadCreate(_request, upload) {
      if (upload.size === undefined) throw invalid("Upload-Length", "is required");
      await resumable.begin(currentContext().actor, upload.id, parseDestination(upload.metadata), upload.size);
      return {};
    },
    async onIncomingRequest(incoming, id) {
      // A new upload is not recorded yet. Only the actor who created an upload can continue or cancel it.
      if (incoming.method !== "POST") await resumable.loadUpload(currentContext().actor, id);
    },
    async onUploadFinish({ method }, upload) {
      const { actor } = currentContext();
      const uploaded = await finishUpload(actor, upload.id);
      currentContext().finishedId = upload.id;
      const { fileId, version } = uploaded;
      const body = JSON.stringify({ file_id: fileId, version, landed: await resumable.findLocation(actor, uploaded) });
      // Clients require the URL of an upload that they create, also if it is complete.
      const location: Record<string, string> = method === "POST" ? { Location: `${UPLOADS_PATH}/${upload.id}` } : {};
      return { status_code: 200, headers: { "Content-Type": "application/json; charset=utf-8", ...location }, body };
    },
    onResponseError(_request, error) {
      currentContext().failure = error;
      return undefined;
    },
  });

  async function handle(context: TusRequestContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const response = await contextStorage.run(context, () => tus.handleWeb(toWebRequest(request, context.id)));
    // Deleted only now, because @tus/server reads the part once more after finishing it.
    if (context.finishedId !== undefined) await store.end(context.finishedId, true);
    // Canceled before the response, because the client may check the upload as soon as it receives the response.
    if (request.method === "DELETE" && context.id !== undefined && response.ok)
      await store.end(context.id, !(await resumable.cancel(context.actor, context.id)));
    const text = await response.text();
    reply.header("Tus-Resumable", TUS_VERSION).header("Cache-Control", "no-store");
    if (response.status >= 400) throw toUploadError(context.failure, response.status, text);
    // A response without a body would otherwise have the content type of an empty text.
    const omitted = text === "" ? ["content-length", "content-type"] : ["content-length"];
    for (const [name, value] of response.headers) if (!omitted.includes(name)) reply.header(name, value);
    return reply.code(response.status).send(text === "" ? undefined : text);
  }

  route(getUpload, async ({ actor, params }) => {
    const { upload_id: id } = params;
    const { size, uploaded } = await loadProgress(actor, id);
    if (uploaded) await store.end(id, true);
    if (!uploaded) return single("upload", { id, size, file_id: null, version: null });
    return single("upload", { id, size, file_id: uploaded.fileId, version: uploaded.version, landed: await resumable.findLocation(actor, uploaded) });
  });
  route(createUpload, async ({ actor, request, reply }) => {
    // Marks the rule as checked, because protocol errors are returned before `begin` checks it.
    actor.checkedRules.add("file.create");
    // Checked here because the error of @tus/server does not name the limit.
    resumable.assertSize(Number(request.headers["upload-length"]) || 0);
    await handle({ actor }, request, reply);
    return undefined;
  });

  /** Receives a part of an upload, returns how much has arrived, or cancels it. */
  async function continueUpload(actor: Actor, request: FastifyRequest<{ Params: { upload_id: string } }>, reply: FastifyReply): Promise<FastifyReply> {
    const { upload_id: id } = request.params;
    if (request.method === "HEAD" && request.headers["tus-resumable"] === TUS_VERSION) {
      const { size, uploaded } = await loadProgress(actor, id);
      // @tus/server would report a finished upload as missing, and a client that lost the last response would send it again.
      if (uploaded) await store.end(id, true);
      if (uploaded) return reply.headers({ "tus-resumable": TUS_VERSION, "cache-control": "no-store", "upload-offset": size, "upload-length": size }).send();
    }
    if (request.method === "PATCH" && request.headers["content-type"] !== CHUNK_TYPE) throw new HttpError(415, `Send the bytes as ${CHUNK_TYPE}.`);
    return handle({ actor, id }, request, reply);
  }

  app.route<{ Params: { upload_id: string } }>({
    method: ["PATCH", "HEAD", "DELETE"],
    url: `${UPLOADS_PATH}/:upload_id`,
    exposeHeadRoute: false,
    config: { operation: createUpload },
    async handler(request, reply) {
      const actor = await authorizedCaller(request, reply);
      if (!actor) throw new HttpError(401, "Sign in to upload.");
      return runForCaller(actor, () => continueUpload(actor, request, reply));
    },
  });

  return { expire: () => resumable.expire((id, isRecorded) => store.end(id, isRecorded)) };
}
