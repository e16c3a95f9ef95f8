/** A service in memory that speaks tus 1.0 as ours does, and fails in the ways that a test chooses. */
import { vi } from "vitest";

interface TusRequest {
  method: string;
  /** Null for the creation of an upload. */
  id: string | null;
}

/** What becomes of a request. "lost": the service handles it, but its response does not arrive; `received`: the connection breaks after this many bytes. */
type Failure = "unreachable" | "lost" | { received: number } | { status: number; detail?: string; retryAfter?: number };

interface StoredUpload {
  size: number;
  metadata: Record<string, string>;
  chunks: Blob[];
  fileId: number | null;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const PATH = "/api/v2/uploads";
export const problem = (status: number, detail = "Not now"): Reply => ({ status, body: { object: "error", status, title: "Error", detail, request_id: "r" } });

export function createTusService() {
  const uploads = new Map<string, StoredUpload>();
  const requests: string[] = [];
  const service = {
    uploads,
    /** The requests so far, such as "POST", "HEAD 1", "PATCH 1 from 0". */
    requests,
    /** The addresses and headers of the requests of tus-js-client so far. */
    sent: [] as { url: string; headers: Headers }[],
    /** Returns the `Location` of a created upload. */
    location: (id: string) => `${PATH}/${id}`,
    failure: (_request: TusRequest): Failure | null => null,
    /** Why no complete upload becomes a file; null if it does. */
    finishFailure: null as Reply | null,
  };
  const offsetOf = ({ chunks }: StoredUpload) => chunks.reduce((sum, { size }) => sum + size, 0);
  const resultOf = ({ fileId }: StoredUpload) => ({ file_id: fileId, version: fileId === null ? null : 1, landed: null });

  function handle({ method, id }: TusRequest, headers: Headers, body: Blob | null): Reply {
    if (id === null) {
      const created = String(uploads.size + 1).padStart(32, "0");
      const metadata = (headers.get("upload-metadata") ?? "").split(",").map((pair) => pair.split(" ") as [string, string]);
      const size = Number(headers.get("upload-length"));
      const upload = {
        size,
        metadata: Object.fromEntries(metadata.map(([name, value]) => [name, atob(value)])),
        chunks: [],
        fileId: size === 0 ? 100 + Number(created) : null,
      };
      uploads.set(created, upload);
      const location = { location: service.location(created) };
      return size === 0 ? { status: 200, headers: location, body: resultOf(upload) } : { status: 201, headers: location };
    }
    const upload = uploads.get(id);
    if (!upload) return problem(404, "No such upload, or it has expired.");
    // The service finishes a complete upload whenever it is asked about it.
    if (service.finishFailure && method !== "DELETE" && offsetOf(upload) + (body?.size ?? 0) === upload.size) {
      if (body) upload.chunks.push(body);
      return service.finishFailure;
    }
    if (method === "GET") return { status: 200, body: { object: "upload", data: { id, size: upload.size, ...resultOf(upload) } } };
    if (method === "HEAD") return { status: 200, headers: { "upload-offset": String(offsetOf(upload)), "upload-length": String(upload.size) } };
    if (method === "DELETE") return { status: uploads.delete(id) ? 204 : 404 };
    if (Number(headers.get("upload-offset")) !== offsetOf(upload)) return problem(409, "The upload is at a different offset.");
    upload.chunks.push(body!);
    const offset = { "upload-offset": String(offsetOf(upload)) };
    if (offsetOf(upload) < upload.size) return { status: 204, headers: offset };
    upload.fileId = 100 + Number(id);
    return { status: 200, headers: offset, body: resultOf(upload) };
  }

  /** Returns null if no response arrives. */
  function respond(method: string, url: string, headers: Headers, body: Blob | null): Reply | null {
    const id = /\/api\/v2\/uploads\/(\w+)/.exec(url)?.[1] ?? null;
    requests.push([method, ...(id === null ? [] : [Number(id)]), ...(method === "PATCH" ? ["from", headers.get("upload-offset")] : [])].join(" "));
    const failure = service.failure({ method, id });
    if (failure === null) return handle({ method, id }, headers, body);
    if (failure === "unreachable") return null;
    if (typeof failure !== "string" && "status" in failure) {
      const reply = problem(failure.status, failure.detail);
      return failure.retryAfter === undefined ? reply : { ...reply, headers: { "retry-after": String(failure.retryAfter) } };
    }
    if (failure === "lost") handle({ method, id }, headers, body);
    else uploads.get(id!)!.chunks.push(body!.slice(0, failure.received));
    return null;
  }

  /** The part of XMLHttpRequest that tus-js-client uses. */
  class FakeXmlHttpRequest {
    upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number }) => void } = {};
    onload?: () => void;
    onerror?: (event: Event) => void;
    status = 0;
    responseText = "";
    private method = "";
    private url = "";
    private isAborted = false;
    private readonly headers = new Headers();
    private responseHeaders = new Headers();
    open(method: string, url: string): void {
      [this.method, this.url] = [method, url];
    }
    setRequestHeader(name: string, value: string): void {
      this.headers.set(name, value);
    }
    getResponseHeader(name: string): string | null {
      return this.responseHeaders.get(name);
    }
    abort(): void {
      // As in a browser, this does nothing to a request that is sent later.
      this.isAborted = true;
    }
    send(body: Blob | null): void {
      this.isAborted = false;
      setTimeout(() => {
        if (this.isAborted) return;
        service.sent.push({ url: this.url, headers: this.headers });
        const reply = respond(this.method, this.url, this.headers, body);
        if (!reply) return this.onerror?.(new Event("error"));
        if (body) this.upload.onprogress?.({ lengthComputable: true, loaded: body.size });
        this.status = reply.status;
        this.responseHeaders = new Headers(reply.headers);
        this.responseText = reply.body === undefined || this.method === "HEAD" ? "" : JSON.stringify(reply.body);
        this.onload?.();
      });
    }
  }

  vi.stubGlobal("XMLHttpRequest", FakeXmlHttpRequest);
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit) => {
    const reply = respond(method, url, new Headers(), null);
    if (!reply) throw new TypeError("failed");
    return Response.json(reply.body, { status: reply.status });
  });
  return service;
}
