/** Resumable uploads: tus 1.0 through @tus/server, parts on the local disk, finished ones handed to storage. */
import { AsyncLocalStorage } from "node:async_hooks";
import { join } from "node:path";
import { FileStore } from "@tus/file-store";
import { EVENTS, Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createUpload, getUpload } from "../../../contract/operations/files.ts";
import { line } from "../../../contract/text.ts";
import type { Actor } from "../../domain/access.ts";
import type { Destination, Uploaded } from "../../domain/files/uploads.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { Fault, invalid } from "../../lib/faults.ts";
import type { Storage } from "../../storage/storage.ts";
import { one } from "../answers.ts";
import { faultOf, problemOf } from "../problems.ts";
import type { Admit, Serve } from "../serve.ts";
import type { Services } from "../services.ts";

const PATH = "/api/v2/uploads";
/** How long a part that nobody continues is kept. */
const KEPT_MS = 3 * DAY;

export interface TusDeps {
  services: Services;
  storage: Storage;
  folder: string;
  uploadBytes: number;
}

function idIn(metadata: Record<string, string | null> | undefined, name: string): number | undefined {
  const text = metadata?.[name];
  if (text === undefined || text === null) return undefined;
  if (!/^[1-9]\d{0,15}$/.test(text)) throw invalid(name, "must be a positive integer");
  return Number(text);
}

function destinationOf(metadata: Record<string, string | null> | undefined): Destination {
  const versionOf = idIn(metadata, "version_of");
  if (versionOf !== undefined) return { versionOf };
  const name = line(255).safeParse(metadata?.name ?? "");
  if (!name.success) throw invalid("name", name.error.issues[0]?.message ?? "is needed");
  const projectId = idIn(metadata, "project_id");
  if (projectId !== undefined) return { chatOf: projectId, name: name.data };
  const parentId = idIn(metadata, "parent_id");
  if (parentId === undefined) throw invalid("Upload-Metadata", "must name project_id, parent_id or version_of");
  return { parentId, name: name.data };
}

export function tusRoutes(app: FastifyInstance, serve: Serve, admit: Admit, deps: TusDeps): void {
  const { services, storage } = deps;
  const store = new FileStore({ directory: join(deps.folder, "uploads"), expirationPeriodInMilliseconds: KEPT_MS });
  const asking = new AsyncLocalStorage<{ actor: Actor; request: FastifyRequest }>();
  const asker = (): Actor => {
    const found = asking.getStore();
    if (!found) throw new Error("An upload outside a request");
    return found.actor;
  };

  /** Turns the finished part into a file, once: repeated after a crash it answers what became of it. */
  async function finish(actor: Actor, id: string): Promise<Uploaded> {
    const { to, done } = await services.uploads.underWay(actor, id);
    if (done) return done;
    const blob = await storage.adopt(join(deps.folder, "uploads", id));
    let uploaded: Uploaded;
    try {
      uploaded = await services.uploads.accept(actor, to, blob, id);
    } catch (error) {
      await storage.remove(blob.key);
      throw error;
    }
    await store.remove(id).catch(() => {});
    return uploaded;
  }

  const tus = new Server({
    path: PATH,
    datastore: store,
    maxSize: deps.uploadBytes,
    relativeLocation: true,
    respectForwardedHeaders: false,
    allowedOrigins: () => false,
    async onUploadCreate(_request, upload) {
      if (upload.size === undefined) throw invalid("Upload-Length", "is needed");
      await services.uploads.begin(asker(), upload.id, destinationOf(upload.metadata), upload.size);
      return {};
    },
    async onIncomingRequest(incoming, id) {
      // A new one is not noted yet; who may continue or give up one is who began it.
      if (incoming.method !== "POST") await services.uploads.underWay(asker(), id);
    },
    async onUploadFinish(_request, upload) {
      const { fileId, version } = await finish(asker(), upload.id);
      return { status_code: 200, headers: { "Content-Type": "application/json; charset=utf-8" }, body: JSON.stringify({ file_id: fileId, version }) };
    },
    onResponseError(_request, error) {
      const fault = faultOf(error);
      const request = asking.getStore()?.request;
      if (!fault || !request) {
        if (!("status_code" in error)) request?.log.error({ err: error }, "upload failed");
        return undefined;
      }
      return { status_code: fault.status, body: JSON.stringify(problemOf(fault, request.id)) };
    },
  });

  tus.on(EVENTS.POST_TERMINATE, (_request, _response, id) => void services.uploads.forget(id));

  serve(getUpload, async ({ actor, params }) => {
    const { size, done } = await services.uploads.underWay(actor, params.upload_id);
    let uploaded = done;
    if (!uploaded) {
      const part = await store.getUpload(params.upload_id).catch(() => null);
      // All bytes came, but the service stopped before it could say so.
      if (part && part.offset === size) uploaded = await finish(actor, params.upload_id);
    }
    return one("upload", { id: params.upload_id, size, file_id: uploaded?.fileId ?? null, version: uploaded?.version ?? null });
  });

  const handle = async (actor: Actor, request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    reply.raw.setHeader("Cache-Control", "no-store");
    reply.raw.setHeader("X-Content-Type-Options", "nosniff");
    await asking.run({ actor, request }, () => tus.handle(request.raw, reply.raw));
  };
  serve(createUpload, async ({ actor, request, reply }) => {
    actor.asked.add("file.create");
    await handle(actor, request, reply);
    return undefined;
  });
  app.route({
    method: ["PATCH", "HEAD", "DELETE"],
    url: `${PATH}/:upload_id`,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const actor = await admit({ ...createUpload, method: request.method === "HEAD" ? "GET" : "PATCH" }, request, reply);
      if (!actor) throw new Fault(401, "Sign in to upload.");
      await handle(actor, request, reply);
    },
  });

  const timer = setInterval(() => void tus.cleanUpExpiredUploads().catch((error: unknown) => app.log.error({ err: error }, "uploads not cleaned up")), HOUR);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
}
