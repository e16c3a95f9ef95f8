/**
 * An S3-compatible server: s3rver, behind a front that is as strict as real stores where s3rver is not, adds the requests that it lacks (lists, and
 * aborting multipart uploads), and misbehaves where a test wants it to. The front verifies all signatures, because s3rver lets unsigned requests pass.
 */
import S3rver from "@20minutes/s3rver";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { findSignatureError } from "./s3-signatures.ts";
import type { Environment } from "./service-process.ts";

/** What the server does with a request instead of executing it properly. */
export type S3Fault =
  | "reset"
  | "hang"
  | "corrupt"
  /** An error response, before or after the request is executed. */
  | { status: number; code: string; executed?: boolean }
  /** Ends the connection, or sends nothing more, after this many bytes of the response's body. */
  | { cutAfter: number }
  | { stallAfter: number };

export interface S3Request {
  method: string;
  /** Key of the object; "" for the bucket. */
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
}

export interface S3Server {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Settings of a service that uses this server. */
  environment: Environment;
  /** Decides on a fault for each request; tests replace it. */
  onRequest: (request: S3Request) => S3Fault | null | void;
  requests: S3Request[];
  /** Objects on one page of a list, at most. */
  pageSize: number;
  /** Responses with the bytes of an object that are not sent to their end. */
  openResponses(): number;
  /** Keys of the stored objects. */
  objects(): string[];
  /** Multipart uploads that were neither completed nor aborted. */
  uploads(): { id: string; key: string; parts: number; startedAt: number }[];
  close(): Promise<void>;
}

export interface S3ServerOptions {
  bucket?: string;
  port?: number;
  /** Keeps the objects when the server closes. By default they are in a temporary folder. */
  directory?: string;
  /** The smallest part that is not the last one, in bytes. Real stores require 5 MiB. */
  minPartBytes?: number;
  /** XML of the bucket's CORS configuration. */
  cors?: string;
}

/** The account that s3rver has built in. */
const ACCOUNT = "S3RVER";

export async function startS3Server({ bucket = "talkback", port = 0, directory, minPartBytes = 1, cors }: S3ServerOptions = {}): Promise<S3Server> {
  const folder = directory ?? mkdtempSync(join(tmpdir(), "talkback-s3-"));
  const configureBuckets = [{ name: bucket, ...(cors ? { configs: [cors] } : {}) }];
  const inner = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory: folder, vhostBuckets: false, configureBuckets });
  const { port: innerPort } = await inner.run();
  const uploadsFolder = join(folder, bucket, "._S3rver_uploads");
  const responses = new Set<ServerResponse>();

  const listUploads = (): ReturnType<S3Server["uploads"]> =>
    (existsSync(uploadsFolder) ? readdirSync(uploadsFolder) : [])
      .filter((id) => existsSync(join(uploadsFolder, id, "key")))
      .map((id) => ({
        id,
        key: readFileSync(join(uploadsFolder, id, "key"), "utf8"),
        parts: readdirSync(join(uploadsFolder, id)).filter((name) => /^\d+$/.test(name)).length,
        startedAt: statSync(join(uploadsFolder, id, "key")).birthtimeMs,
      }));

  function listObjects(path = join(folder, bucket), prefix = ""): string[] {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      if (entry.isDirectory()) return entry.name.endsWith("_S3rver_uploads") ? [] : listObjects(join(path, entry.name), `${prefix}${entry.name}/`);
      return entry.name.endsWith("._S3rver_object") ? [`${prefix}${entry.name.slice(0, -"._S3rver_object".length)}`] : [];
    });
  }

  /** Returns the error of a request that s3rver would accept, and a real store would not. */
  function findViolation({ method, key, query, headers }: S3Request, body: Buffer): [status: number, code: string] | null {
    const object = join(folder, bucket, `${key}._S3rver_object`);
    const start = Number(/^bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? Number.NaN);
    if (method === "GET" && existsSync(object) && start >= statSync(object).size) return [416, "InvalidRange"];
    const uploadId = query.get("uploadId");
    const md5 = headers["content-md5"];
    if (md5 !== undefined && createHash("md5").update(body).digest("base64") !== md5) return [400, "BadDigest"];
    if (uploadId !== null && !existsSync(join(uploadsFolder, uploadId, "key"))) return [404, "NoSuchUpload"];
    if (method !== "POST" || uploadId === null) return null;
    const parts = [...body.toString().matchAll(/<Part>.*?<\/Part>/gs)].map(([xml]) => ({
      number: /<PartNumber>(\d+)</.exec(xml)?.[1] ?? "",
      etag: /<ETag>(.*?)<\/ETag>/.exec(xml)?.[1]?.replaceAll(/&quot;|"/g, "") ?? "",
    }));
    for (const [index, { number, etag }] of parts.entries()) {
      const path = join(uploadsFolder, uploadId, number);
      if (!existsSync(path) || readFileSync(`${path}.md5`, "utf8") !== etag) return [400, "InvalidPart"];
      if (index < parts.length - 1 && statSync(path).size < minPartBytes) return [400, "EntityTooSmall"];
    }
    return null;
  }

  function sendError(response: ServerResponse, status: number, code: string): void {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
  }

  /** Executes the requests that s3rver lacks, and lists, whose pages it encrypts with a cipher that Node no longer has. Returns false for others. */
  function execute({ method, query }: S3Request, response: ServerResponse): boolean {
    const uploadId = query.get("uploadId");
    if (method === "GET" && query.get("list-type") === "2") {
      const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
      const keys = server.objects().filter((key) => key.startsWith(query.get("prefix") ?? "") && key > after);
      const page = keys.slice(0, Math.min(server.pageSize, Number(query.get("max-keys") ?? 1_000)));
      const entries = page.map((key) => {
        const { size, mtime } = statSync(join(folder, bucket, `${key}._S3rver_object`));
        return `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${mtime.toISOString()}</LastModified></Contents>`;
      });
      const isTruncated = page.length < keys.length;
      const next = isTruncated ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>` : "";
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}</ListBucketResult>`);
      return true;
    }
    if (method === "DELETE" && uploadId !== null) {
      rmSync(join(uploadsFolder, uploadId), { recursive: true });
      response.writeHead(204).end();
      return true;
    }
    if (method === "GET" && query.has("uploads")) {
      const entries = listUploads()
        .filter(({ key }) => key.startsWith(query.get("prefix") ?? ""))
        .map(
          ({ id, key, startedAt }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(startedAt).toISOString()}</Initiated></Upload>`,
        );
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(`<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${entries.join("")}</ListMultipartUploadsResult>`);
      return true;
    }
    return false;
  }

  /** Ends of requests for an object that is replaced or made of parts, which s3rver does not do at once as real stores do. */
  const turns = new Map<string, Promise<void>>();
  async function takeTurn(key: string, response: ServerResponse): Promise<void> {
    const previous = turns.get(key);
    turns.set(key, new Promise((resolve) => response.once("close", resolve)));
    await previous;
  }

  const front = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://store");
    const [, name, ...path] = decodeURIComponent(url.pathname).split("/");
    const info: S3Request = { method: request.method ?? "", key: path.join("/"), query: url.searchParams, headers: request.headers };
    server.requests.push(info);
    const fault = server.onRequest(info) ?? null;
    if (fault === "reset") return void request.socket.destroy();
    if (fault === "hang") return;
    const body = await buffer(request);
    if (fault !== null && typeof fault === "object" && "status" in fault && !fault.executed) return sendError(response, fault.status, fault.code);
    if (fault === "corrupt" && body.length > 0) body[0]! ^= 1;
    const signatureError = findSignatureError({ method: info.method, url: request.url ?? "/", headers: request.headers }, ACCOUNT, ACCOUNT);
    if (signatureError) return sendError(response, 403, signatureError);
    if (info.key.endsWith(".json") || (info.method === "POST" && url.searchParams.has("uploadId"))) await takeTurn(info.key, response);
    const violation = name === bucket ? findViolation(info, body) : null;
    if (violation) return sendError(response, ...violation);
    if (name === bucket && execute(info, response)) return;
    // s3rver rejects valid signatures of requests to a bucket and of some presigned URLs, and replaces no headers for unsigned requests.
    const replaced: Record<string, string> = {};
    const parameters = [...url.searchParams];
    for (const [parameter, value] of parameters) {
      if (parameter.startsWith("response-")) replaced[parameter.slice("response-".length)] = value;
      if (/^(X-Amz|response)-/.test(parameter)) url.searchParams.delete(parameter);
    }
    const { expect: _expect, authorization: _authorization, ...headers } = request.headers;
    const forwarded = sendRequest({ host: "127.0.0.1", port: innerPort, method: info.method, path: `${url.pathname}${url.search}`, headers });
    forwarded.on("error", () => response.destroy());
    forwarded.on("response", (inside) => {
      if (fault !== null && typeof fault === "object" && "status" in fault) return sendError(response, fault.status, fault.code);
      responses.add(response);
      response.once("close", () => {
        responses.delete(response);
        inside.destroy();
      });
      const isSuccess = (inside.statusCode ?? 500) < 300;
      response.writeHead(inside.statusCode ?? 500, { ...inside.headers, ...(isSuccess ? replaced : {}) });
      const limit =
        fault !== null && typeof fault === "object" ? ("cutAfter" in fault ? fault.cutAfter : "stallAfter" in fault ? fault.stallAfter : null) : null;
      if (limit === null || limit === undefined) return void inside.pipe(response);
      let sent = 0;
      response.flushHeaders();
      inside.on("data", (chunk: Buffer) => {
        if (sent < limit) response.write(chunk.subarray(0, limit - sent));
        sent += chunk.length;
        if (sent >= limit && fault !== null && typeof fault === "object" && "cutAfter" in fault) setImmediate(() => response.destroy());
      });
    });
    forwarded.end(body);
  }

  await new Promise<void>((resolve) => front.listen(port, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const server: S3Server = {
    endpoint,
    bucket,
    accessKeyId: ACCOUNT,
    secretAccessKey: ACCOUNT,
    environment: { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: ACCOUNT, S3_SECRET_ACCESS_KEY: ACCOUNT },
    onRequest: () => null,
    requests: [],
    pageSize: 1_000,
    openResponses: () => responses.size,
    objects: () => listObjects().toSorted(),
    uploads: listUploads,
    async close() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await inner.close();
      if (directory === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}
