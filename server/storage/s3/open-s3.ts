/** Opens storage in an S3-compatible store. The client of the store takes a while to load, so its code is loaded with the first use. */
import type { ResumableParts, Storage } from "../storage.ts";
import type { S3StorageOptions } from "./s3-storage.ts";

/** Returns the origin at which browsers read the bucket. */
export function originOfBucket({ endpoint, publicEndpoint, bucket, region, forcePathStyle }: S3StorageOptions): string {
  const url = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!forcePathStyle) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** `local`: storage on the local disk, for temporary files. */
export function openS3(options: S3StorageOptions, local: Storage): Storage {
  let opening: Promise<Storage> | undefined;
  const open = (): Promise<Storage> => (opening ??= import("./s3-storage.ts").then(({ createS3Storage }) => createS3Storage(options, local)));
  const parts = async (): Promise<ResumableParts> => (await open()).resumable!;
  return {
    put: async (...input) => (await open()).put(...input),
    importFile: async (...input) => (await open()).importFile(...input),
    open: async (...input) => (await open()).open(...input),
    size: async (key) => (await open()).size(key),
    withLocalFile: async (...input) => (await open()).withLocalFile(...input),
    withLocalSketch: async (...input) => (await open()).withLocalSketch(...input),
    remove: async (key) => (await open()).remove(key),
    withTemporaryFolder: local.withTemporaryFolder,
    admit: local.admit,
    availableBytes: local.availableBytes,
    resumable: {
      create: async (...input) => (await parts()).create(...input),
      find: async (id) => (await parts()).find(id),
      write: async (...input) => (await parts()).write(...input),
      finish: async (id) => (await parts()).finish(id),
      forget: async (id) => (await parts()).forget(id),
      discard: async (id) => (await parts()).discard(id),
    },
    browserOrigin: options.signedUrls ? originOfBucket(options) : null,
    signUrl: async (...input) => (await open()).signUrl(...input),
    check: async () => (await open()).check(),
    probe: async () => (await open()).probe(),
    async *list() {
      yield* (await open()).list();
    },
    removeStale: async (idleMs) => (await open()).removeStale(idleMs),
  };
}
