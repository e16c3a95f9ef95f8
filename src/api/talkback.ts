/**
 * The API as a typed client for programs on Node 24: every operation of the contract, pages and live events as async iterators, uploads and downloads.
 * `docs/examples` shows it at work.
 */
import type { Operation, ResponseOf } from "../../contract/define-operation.ts";
import { hasDocumentedPath } from "../../contract/offered-operations.ts";
import { operations } from "../../contract/operations/all.ts";
import type { Message } from "../../contract/records.ts";
import { toBaseUrl } from "../../contract/base-url.ts";
import { ApiError } from "./api-error.ts";
import { discoverService } from "./discover-service.ts";
import { createApi } from "./http.ts";
import { downloadToDisk, type DownloadOptions } from "./programs/disk-downloads.ts";
import { uploadFromDisk, type UploadOptions, type UploadTarget } from "./programs/disk-uploads.ts";
import { liveEvents, type EventOptions } from "./programs/live-events.ts";
import { type CallableName, type FlatInput, nameOperations, type ProgramCallOptions, splitInput } from "./programs/named-operations.ts";
import { isRead, withRetries } from "./programs/retries.ts";

type Operations = typeof operations;
type PageOf<O extends Operation> = ResponseOf<O> extends { data: (infer Item)[]; next_cursor: string | null } ? Item : never;
/** Operations that list in pages. */
type PagedName = { [N in CallableName]: [PageOf<Operations[N]>] extends [never] ? never : N }[CallableName];

export interface TalkbackOptions {
  /** Address of the service, which may have a path: `https://talkback.example`. */
  baseUrl: string;
  /** An API token, from Settings, API tokens, or an access token of OAuth. Undefined, as of a variable that is not set, is an error. */
  token: string | undefined;
}

export type Talkback = ReturnType<typeof createTalkback>;

function parseAddress(text: string): string {
  try {
    return toBaseUrl(text);
  } catch (cause) {
    // A password must not get into a log.
    throw new TypeError(`"${text.replace(/\/\/.*@/, "//")}" is no address such as https://talkback.example`, { cause });
  }
}

/** Messages per request. */
const MESSAGE_PAGE = 200;
const INVALID_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Throws a `TypeError` if the address or the token cannot be one. Makes no request. */
export function createTalkback({ baseUrl, token: givenToken }: TalkbackOptions) {
  const token = (givenToken ?? "").trim();
  if (token === "") throw new TypeError("The token is empty. Create one under Settings, API tokens.");
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("The token has characters that no token has. Copy it again.");
  const api = createApi({ baseUrl: parseAddress(baseUrl), token });

  let isDescribed: boolean | undefined;
  /** Returns whether the service describes itself as this project's does; requests the description once. */
  async function describesItself(): Promise<boolean> {
    isDescribed ??= await discoverService(api.baseUrl, token).then(
      ({ kind }) => kind === "described",
      () => undefined,
    );
    return isDescribed ?? false;
  }

  /** Calls an operation with one flat object. Throws `ApiError`, or the abort reason of `signal`. Repeats what the service did not accept for now. */
  async function call<O extends Operation>(operation: O, input: FlatInput<O>, options: ProgramCallOptions = {}): Promise<ResponseOf<O>> {
    const { idempotent = false } = operation;
    const { signal, timeoutMs } = options;
    if (options.idempotencyKey !== undefined && !idempotent) throw new TypeError(`${operation.method} ${operation.path} knows no idempotency key`);
    const idempotencyKey = idempotent ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const callInput = splitInput(operation, input as Record<string, unknown>);
    // The service document has no idempotency keys.
    const isRepeatable = isRead(operation) || (idempotent && (!hasDocumentedPath(operation) || (await describesItself())));
    const run = () =>
      api.call(operation, callInput, { ...(signal ? { signal } : {}), ...(timeoutMs ? { timeoutMs } : {}), ...(idempotencyKey ? { idempotencyKey } : {}) });
    return withRetries(run, { isRepeatable, signal });
  }

  const named = nameOperations((operation, input, options) => call(operation, input as never, options));

  return {
    ...named,
    call,

    /** Yields all entries of an operation that lists in pages: `for await (const file of talkback.each("listFiles", { … }))`. */
    async *each<N extends PagedName>(
      name: N,
      input: FlatInput<Operations[N]>,
      options?: ProgramCallOptions,
    ): AsyncGenerator<PageOf<Operations[N]>, void, void> {
      const request = named[name] as (input: object, options?: ProgramCallOptions) => Promise<{ data: PageOf<Operations[N]>[]; next_cursor: string | null }>;
      let cursor: string | null = null;
      do {
        const page = await request({ ...input, ...(cursor === null ? {} : { cursor }) }, options);
        yield* page.data;
        // A service that repeats a cursor has no further page.
        if (page.next_cursor === cursor) return;
        cursor = page.next_cursor;
      } while (cursor !== null);
    },

    /**
     * Yields a chat's messages, oldest first, after `after_id`. Of a service without paging, which the service document does not have, the one page that it
     * sends.
     */
    async *messages(
      { project_id, after_id = 0 }: { project_id: number; after_id?: number },
      options?: ProgramCallOptions,
    ): AsyncGenerator<Message, void, void> {
      for (let lastId = after_id; ;) {
        const page = await named.chatHistory({ project_id, after_id: lastId, limit: MESSAGE_PAGE }, options).catch((error: unknown) => {
          // A service may refuse members and limits that the service document does not name.
          if (!(error instanceof ApiError && INVALID_STATUSES.has(error.status))) throw error;
          return named.chatHistory({ project_id }, options);
        });
        // A service without paging sends the same page whatever `after_id` is.
        yield* page.data.filter(({ id }) => id > lastId);
        const last = page.data.at(-1);
        if (!last || last.id <= lastId || page.has_more_after !== true) return;
        lastId = last.id;
      }
    },

    /** Yields the events of topics such as `project:1`, for as long as the caller wants. See `LiveItem`. */
    events: (topics: readonly string[], options?: EventOptions) => liveEvents(api, topics, options),

    /** Uploads a file of the disk. */
    upload: (path: string, target: UploadTarget, options?: UploadOptions) => uploadFromDisk(api, path, target, options),

    /** Downloads a `url` of a record to a file, and returns the number of bytes. */
    download: (url: string, path: string, options?: DownloadOptions) => downloadToDisk(api, url, path, options),
  };
}
