/**
 * Compresses JSON and text responses with what the client accepts (decision 082), in the threads of zlib. Streams stay as they are: media, ranges, zips, tables
 * and the files of the web client, which are compressed when it is built.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callbackify, promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Operation } from "../../contract/define-operation.ts";
import { operations } from "../../contract/operations/all.ts";
import { operationOf } from "./route.ts";

type Encoding = "br" | "gzip";
type Compressors = Record<Encoding, (body: string | Buffer) => Promise<Buffer>>;

/** A shorter response fits into one packet anyway. */
const MIN_LENGTH = 1_000;
const COMPRESSED_TYPES = /^(application\/(problem\+)?json|text\/(plain|css|javascript))(;|$)/;

/**
 * Their responses carry credentials: tokens, signing secrets, links and URLs that work without signing in, also URLs of receivers, which often contain one. The
 * length of a compressed response would tell how much of such a value some text beside it repeats (BREACH).
 */
export const SECRET_OPERATIONS: ReadonlySet<Operation> = new Set<Operation>([
  operations.inviteMember,
  operations.createPasswordReset,
  operations.listTokens,
  operations.createToken,
  operations.listAgentTokens,
  operations.createAgentToken,
  operations.issueToken,
  operations.liveTicket,
  operations.createSignedUrl,
  operations.listWebhookEndpoints,
  operations.getWebhookEndpoint,
  operations.createWebhookEndpoint,
  operations.updateWebhookEndpoint,
  operations.checkWebhookUrl,
  operations.rotateWebhookSecret,
  operations.listEventSubscriptions,
  operations.getEventSubscription,
  operations.createEventSubscription,
  operations.updateEventSubscription,
  operations.rotateSubscriptionSecret,
]);

const BROTLI_PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 };
const [brotliAsync, gzipAsync] = [promisify(brotliCompress), promisify(gzip)];
/** Fast levels: a page of 50 messages takes 0.1 ms and becomes an eighth. With Brotli's default window of 4 MB, large pages would take twice the memory. */
const COMPRESSORS: Compressors = {
  br: (body) => brotliAsync(body, { params: { ...BROTLI_PARAMS, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  gzip: (body) => gzipAsync(body, { level: 4 }),
};

interface KeptForms {
  forms: Map<Encoding, Promise<Buffer>>;
  onKept: (bytes: number) => void;
}
/** By bodies that several responses share. */
const keptForms = new WeakMap<Buffer, KeptForms>();

/** Keeps each compressed form of a body that several responses share for as long as the body. `onKept` receives the size of each new one. */
export function keepCompressed(body: Buffer, onKept: (bytes: number) => void = () => {}): Buffer {
  keptForms.set(body, { forms: new Map(), onKept });
  return body;
}

function compress(body: string | Buffer, encoding: Encoding, compressors: Compressors): Promise<Buffer> {
  const kept = typeof body === "string" ? undefined : keptForms.get(body);
  if (!kept) return compressors[encoding](body);
  const existing = kept.forms.get(encoding);
  if (existing) return existing;
  const form = compressors[encoding](body);
  kept.forms.set(encoding, form);
  form.then(
    ({ length }) => kept.onKept(length),
    () => kept.forms.delete(encoding),
  );
  return form;
}

/** Returns the encoding that an `Accept-Encoding` header prefers (RFC 9110, 12.5.3), Brotli among equals; null: none. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [, name, weight = "1"] = /^\s*([\w*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(item) ?? [];
    if (name !== undefined) weights.set(name === "x-gzip" ? "gzip" : name, Number(weight));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  const preferred: Encoding = weightOf("gzip") > weightOf("br") ? "gzip" : "br";
  return weightOf(preferred) > 0 && weightOf(preferred) >= (weights.get("identity") ?? 0) ? preferred : null;
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if ((typeof payload !== "string" && !Buffer.isBuffer(payload)) || payload.length < MIN_LENGTH) return false;
  // A tag or a range is of the bytes as they are.
  if (reply.hasHeader("Content-Encoding") || reply.hasHeader("ETag") || reply.hasHeader("Content-Range")) return false;
  if (!COMPRESSED_TYPES.test(String(reply.getHeader("Content-Type")))) return false;
  const operation = operationOf(request);
  return operation === undefined || !SECRET_OPERATIONS.has(operation);
}

/** Returns whether a page of another site has sent the request with the visitor's cookie. It could repeat it, with text of its choice. */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  headers.cookie !== undefined && ["cross-site", "same-site"].includes(String(headers["sec-fetch-site"]));

/** `compressors`: replaces those of zlib (tests). */
export function compressResponses(app: FastifyInstance, compressors = COMPRESSORS): void {
  const compressOrKeep = callbackify(async (request: FastifyRequest, reply: FastifyReply, payload: string | Buffer, encoding: Encoding) => {
    try {
      const compressed = await compress(payload, encoding, compressors);
      reply.header("Content-Encoding", encoding);
      return compressed;
    } catch (error) {
      request.log.warn({ err: error }, "a response is sent uncompressed, because compressing it failed");
      return payload;
    }
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) return done(null, payload);
    const vary = reply.getHeader("Vary");
    reply.header("Vary", vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`);
    const encoding = isForeign(request) ? null : chooseEncoding(request.headers["accept-encoding"]);
    if (encoding === null) return done(null, payload);
    compressOrKeep(request, reply, payload, encoding, done);
  });
}
