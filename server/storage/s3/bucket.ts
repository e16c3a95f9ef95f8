/** The operations on a bucket that storage needs, each with a deadline, retried while that may help, and with one error for a store out of reach. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { type SignedHeaders, StorageUnavailableError } from "../storage.ts";
import { isMissing, isTransient, nameOf, statusOf } from "./errors.ts";

export interface BucketOptions {
  /** null: AWS itself. */
  endpoint: string | null;
  /** Address of the store for browsers; null: the same. */
  publicEndpoint: string | null;
  bucket: string;
  region: string;
  forcePathStyle: boolean;
  /** null: the default chain of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/** How long the store may take, in milliseconds, and how often a request is made. Tests replace them. */
export interface BucketTiming {
  connectMs: number;
  /** For the whole of a request that sends no bytes of files, and for the head of a response. */
  requestMs: number;
  /** For a request that sends a part. */
  partMs: number;
  /** Between two chunks of a body. */
  idleMs: number;
  attempts: number;
  /** Before the second attempt; doubles with each further one. */
  backoffMs: number;
}
export const BUCKET_TIMING: BucketTiming = { connectMs: 5_000, requestMs: 15_000, partMs: 60_000, idleMs: 30_000, attempts: 4, backoffMs: 150 };

/** Each download that passes through the service has one; further requests wait. */
const MAX_CONNECTIONS = 1_000;

/** A person who loses access to a file can read on with a signed URL for at most twice as long. */
const SIGNING_STEP_MS = 300_000;

/** Bytes that can be sent again. */
export interface Payload {
  size: number;
  /** Base64; the store refuses bytes that changed on their way. */
  md5: string;
  open(): Readable;
}

export interface OpenObject {
  body: Readable;
  /** Of the body, in bytes. */
  size: number;
}

export type Bucket = ReturnType<typeof connectBucket>;

export function connectBucket(options: BucketOptions, timing: BucketTiming) {
  const createClient = (endpoint: string | null): S3Client =>
    new S3Client({
      region: options.region,
      forcePathStyle: options.forcePathStyle,
      ...(endpoint === null ? {} : { endpoint }),
      ...(options.credentials ? { credentials: options.credentials } : {}),
      // It would print warnings; errors are thrown anyway.
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      // The SDK does not repeat requests that send streams, so `send` repeats all of them.
      maxAttempts: 1,
      // Not every store knows the checksums that the SDK adds; parts have an MD5.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: timing.connectMs, httpAgent: { maxSockets: MAX_CONNECTIONS }, httpsAgent: { maxSockets: MAX_CONNECTIONS } },
    });
  const client = createClient(options.endpoint);
  const browserClient = options.publicEndpoint === null ? client : createClient(options.publicEndpoint);
  const Bucket = options.bucket;

  /** Makes a request until it succeeds, repeating it cannot help, or the deadline of all attempts has passed. Errors of the store are thrown as they are. */
  async function attempt<T>(deadlineMs: number, request: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const endsAt = performance.now() + deadlineMs;
    for (let count = 1; ; count += 1) {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), Math.max(0, endsAt - performance.now()));
      const pauseMs = timing.backoffMs * 2 ** (count - 1) * (0.5 + Math.random());
      try {
        return await request(signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal);
      } catch (error) {
        if (signal?.aborted || count >= timing.attempts || !isTransient(error) || performance.now() + pauseMs >= endsAt) throw error;
      } finally {
        clearTimeout(timer);
      }
      await sleep(pauseMs);
    }
  }

  /** As `attempt`, and turns errors into the one for a store out of reach. */
  const send = <T>(deadlineMs: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    attempt(deadlineMs, request).catch((error: unknown) => {
      throw new StorageUnavailableError(error);
    });

  /** Makes a request that sends bytes, which are read again for each attempt. */
  const sendPayload = <T>({ open, size, md5 }: Payload, request: (input: object, options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> =>
    send(timing.partMs, async (abortSignal) => {
      const Body = open();
      try {
        return await request({ Body, ContentLength: size, ContentMD5: md5 }, { abortSignal });
      } finally {
        Body.destroy();
      }
    });

  return {
    /** Errors are those of the SDK; for the check at the start. */
    raw: { client, attempt },

    put: (Key: string, payload: Payload): Promise<unknown> =>
      sendPayload(payload, (input, sendOptions) => client.send(new PutObjectCommand({ Bucket, Key, ...input }), sendOptions)),

    putText: (Key: string, Body: string): Promise<unknown> =>
      send(timing.requestMs, (abortSignal) => client.send(new PutObjectCommand({ Bucket, Key, Body }), { abortSignal })),

    /** Opens an object, or its bytes from `start` to `end`, both inclusive; null if there is none. A range beyond its end has no bytes. */
    async get(Key: string, range?: { start: number; end?: number | undefined }, signal?: AbortSignal): Promise<OpenObject | null> {
      const Range = range && `bytes=${range.start}-${range.end ?? ""}`;
      try {
        const { Body, ContentLength, ContentRange } = await attempt(
          timing.requestMs,
          // The deadline is for the head of the response; the reader watches over its body.
          (abortSignal) => client.send(new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) }), { abortSignal }),
          signal,
        );
        const readable = Body as Readable;
        // Whoever iterates over the body gets its errors; before that, there is nobody to handle them.
        readable.on("error", () => {});
        if (range && range.start > 0 && !ContentRange?.startsWith(`bytes ${range.start}-`)) {
          readable.destroy();
          throw new Error(`The store sent the range ${ContentRange ?? "of everything"} instead of ${Range}`);
        }
        if (ContentLength === undefined) {
          readable.destroy();
          throw new Error("The store sent an object without its size");
        }
        // Some stores send more than they were asked for.
        return { body: readable, size: range?.end === undefined ? ContentLength : Math.min(ContentLength, range.end - range.start + 1) };
      } catch (error) {
        if (isMissing(error)) return null;
        if (nameOf(error) === "InvalidRange" || statusOf(error) === 416) return { body: Readable.from([]), size: 0 };
        throw signal?.aborted ? error : new StorageUnavailableError(error);
      }
    },

    async getText(key: string): Promise<string | null> {
      try {
        return await attempt(timing.requestMs, async (abortSignal) => {
          const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }), { abortSignal });
          return (await Body?.transformToString()) ?? "";
        });
      } catch (error) {
        if (isMissing(error)) return null;
        throw new StorageUnavailableError(error);
      }
    },

    /** Returns the size of an object; null if there is none. */
    async size(Key: string): Promise<number | null> {
      try {
        const { ContentLength } = await attempt(timing.requestMs, (abortSignal) => client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal }));
        if (ContentLength === undefined) throw new Error("The store did not send the size of an object");
        return ContentLength;
      } catch (error) {
        if (isMissing(error)) return null;
        throw new StorageUnavailableError(error);
      }
    },

    /** Removing what is missing is no error. */
    remove: (Key: string): Promise<unknown> =>
      send(timing.requestMs, (abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        }),
      ),

    async *list(Prefix: string, signal?: AbortSignal): AsyncGenerator<{ key: string; size: number; changedAt: number }> {
      for (let ContinuationToken: string | undefined; ;) {
        const page = await send(timing.requestMs, (abortSignal) =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }), {
            abortSignal: signal ? AbortSignal.any([signal, abortSignal]) : abortSignal,
          }),
        );
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key.slice(Prefix.length), size: Size ?? 0, changedAt: LastModified?.getTime() ?? 0 };
        }
        if (!page.IsTruncated || !page.NextContinuationToken) return;
        ContinuationToken = page.NextContinuationToken;
      }
    },

    /** Starts an object that is sent in parts. Returns the id for its parts. */
    async startMultipart(Key: string): Promise<string> {
      const { UploadId } = await send(timing.requestMs, (abortSignal) => client.send(new CreateMultipartUploadCommand({ Bucket, Key }), { abortSignal }));
      if (!UploadId) throw new StorageUnavailableError(new Error("The store returned no upload id"));
      return UploadId;
    },

    /** Sends a part, counted from 1, and returns its ETag. A part that is sent again replaces the earlier one. */
    async putPart(Key: string, UploadId: string, PartNumber: number, payload: Payload): Promise<string> {
      const { ETag } = await sendPayload(payload, (input, sendOptions) =>
        client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ...input }), sendOptions),
      );
      if (!ETag) throw new StorageUnavailableError(new Error("The store returned no ETag"));
      return ETag;
    },

    /** Makes an object of the parts with these ETags, and makes sure that it has all of their bytes. */
    async finishMultipart(Key: string, UploadId: string, etags: readonly string[], size: number): Promise<void> {
      const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
      let failure: unknown;
      try {
        await attempt(timing.partMs, (abortSignal) =>
          client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }), { abortSignal }),
        );
      } catch (error) {
        failure = error;
      }
      // An earlier attempt, or another process, may have completed it although this one failed.
      const stored = await this.size(Key);
      if (stored !== size) throw new StorageUnavailableError(failure ?? new Error(`The store has ${stored} of ${size} bytes`));
    },

    /** Aborting what is missing is no error. */
    abortMultipart: (Key: string, UploadId: string): Promise<unknown> =>
      send(timing.requestMs, (abortSignal) =>
        client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal }).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        }),
      ),

    /** Lists uploads in parts that were neither completed nor aborted; none where a store does not list them. */
    async *listMultiparts(Prefix: string): AsyncGenerator<{ key: string; uploadId: string; startedAt: number }> {
      let [KeyMarker, UploadIdMarker]: (string | undefined)[] = [];
      do {
        const request: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({ Bucket, Prefix, KeyMarker, UploadIdMarker });
        const page: Partial<ListMultipartUploadsCommandOutput> = await send(timing.requestMs, (abortSignal) => client.send(request, { abortSignal })).catch(
          (error: unknown) => {
            const { cause } = error as Error;
            if (nameOf(cause) === "NotImplemented" || statusOf(cause) === 501) return {};
            throw error;
          },
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (Key && UploadId) yield { key: Key, uploadId: UploadId, startedAt: Initiated?.getTime() ?? Date.now() };
        }
        [KeyMarker, UploadIdMarker] = page.IsTruncated ? [page.NextKeyMarker, page.NextUploadIdMarker] : [];
      } while (KeyMarker);
    },

    /** Returns a URL with which anybody reads the object for 5 to 10 minutes. It stays the same for 5 minutes, so that caches work. */
    signUrl: (Key: string, { contentType, contentDisposition, cacheControl }: SignedHeaders): Promise<string> =>
      getSignedUrl(
        browserClient,
        new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition,
          ResponseCacheControl: cacheControl,
        }),
        { expiresIn: (2 * SIGNING_STEP_MS) / 1_000, signingDate: new Date(Math.floor(Date.now() / SIGNING_STEP_MS) * SIGNING_STEP_MS) },
      ),
  };
}
