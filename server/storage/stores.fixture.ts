/** The stores on which the cases of storage run, each empty. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type S3Fault, type S3Request, type S3Server, startS3Server } from "../testing/s3-server.ts";
import { openLocalDisk } from "./local-disk.ts";
import { openS3 } from "./s3/open-s3.ts";
import { BUCKET_TIMING } from "./s3/bucket.ts";
import type { S3StorageOptions } from "./s3/s3-storage.ts";
import type { Storage } from "./storage.ts";

export interface OpenStore {
  storage: Storage;
  /** Folder on the local disk. */
  folder: string;
  /** What unfinished work has left: on the local disk and in the store. */
  leftovers(): string[];
  close(): Promise<void>;
}

const localLeftovers = (folder: string): string[] =>
  ["incoming", "work"].flatMap((name) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)).map((entry) => `${name}/${entry}`) : []));

/** Small enough that a few hundred kilobytes are several parts. */
export const TEST_PART_BYTES = 65_536;
/** Without pauses between attempts. */
export const TEST_TIMING = { ...BUCKET_TIMING, attempts: 3, backoffMs: 1 };

export async function openLocalStore(): Promise<OpenStore> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-disk-"));
  return {
    storage: openLocalDisk(folder),
    folder,
    leftovers: () => localLeftovers(folder),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface OpenS3Store extends OpenStore {
  server: S3Server;
  /** Opens storage on the same bucket, as another process would. */
  openAgain(options?: Partial<S3StorageOptions>): Storage;
  /** Applies the fault to the first `count` requests that match, and counts them. */
  failNext(matches: (request: S3Request) => boolean, fault: S3Fault, count?: number): { count: number };
}

export const isPart = ({ method, query }: S3Request): boolean => method === "PUT" && query.has("partNumber");
export const isComplete = ({ method, query }: S3Request): boolean => method === "POST" && query.has("uploadId");

export async function openS3Store(overrides: Partial<S3StorageOptions> = {}): Promise<OpenS3Store> {
  const server = await startS3Server();
  const folder = mkdtempSync(join(tmpdir(), "talkback-disk-"));
  const { accessKeyId, secretAccessKey, endpoint, bucket } = server;
  const openAgain = (options: Partial<S3StorageOptions> = {}): Storage =>
    openS3(
      {
        endpoint,
        publicEndpoint: null,
        bucket,
        region: "us-east-1",
        forcePathStyle: true,
        credentials: { accessKeyId, secretAccessKey },
        prefix: "studio/",
        signedUrls: false,
        partBytes: TEST_PART_BYTES,
        timing: TEST_TIMING,
        ...overrides,
        ...options,
      },
      openLocalDisk(folder),
    );
  return {
    storage: openAgain(),
    server,
    folder,
    openAgain,
    failNext(matches, fault, count = Number.POSITIVE_INFINITY) {
      const failed = { count: 0 };
      server.onRequest = (request) => {
        if (!matches(request) || failed.count >= count) return null;
        failed.count += 1;
        return fault;
      };
      return failed;
    },
    leftovers: () => [
      ...localLeftovers(folder),
      ...server.uploads().map(({ key }) => `multipart ${key}`),
      ...server.objects().filter((key) => !key.startsWith("studio/blobs/")),
    ],
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
