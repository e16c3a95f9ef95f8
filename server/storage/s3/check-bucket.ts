/** Makes sure, before the service starts, that the bucket exists and that blobs can be written, read, listed and deleted. */
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { newKey, StorageSetupError } from "../storage.ts";
import type { Bucket, BucketOptions } from "./bucket.ts";
import { nameOf, statusOf } from "./errors.ts";

const DEADLINE_MS = 15_000;

/** Returns a sentence for the operator. `what`: which right is missing if the store refuses. */
function explain(error: unknown, { endpoint, bucket, region }: BucketOptions, what: string): string {
  const place = endpoint ?? `AWS, region ${region}`;
  const [name, status] = [nameOf(error), statusOf(error)];
  if (name === "NoSuchBucket" || status === 404) return `The bucket ${bucket} does not exist at ${place}. Create it, or check S3_BUCKET and S3_ENDPOINT.`;
  if (name === "InvalidAccessKeyId" || name === "SignatureDoesNotMatch")
    return `The store at ${place} refuses the credentials (${name}). Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`;
  if (name === "CredentialsProviderError") return "There are no credentials for S3. Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.";
  if (name === "PermanentRedirect" || name === "AuthorizationHeaderMalformed" || status === 301)
    return `The bucket ${bucket} is in another region than ${region}. Set S3_REGION.`;
  if (name === "RequestTimeTooSkewed") return `The clock of this machine differs from that of the store at ${place}. Set it.`;
  if (status === 403) return `The credentials may not ${what} in the bucket ${bucket} at ${place} (${name}). Allow it in the policy of the store.`;
  if (status === undefined) return `The store at ${place} cannot be reached (${name || (error as Error).message}). Check S3_ENDPOINT.`;
  return `The store at ${place} cannot be used: it responded ${status} ${name} to a request to ${what}.`;
}

export async function checkBucket({ raw: { client, attempt } }: Bucket, options: BucketOptions, prefix: string): Promise<void> {
  const Bucket = options.bucket;
  const Key = `${prefix}check/${newKey()}`;
  const text = `Talkback ${Key}`;
  const step = async <T>(what: string, request: (abortSignal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await attempt(DEADLINE_MS, request);
    } catch (error) {
      throw new StorageSetupError(explain(error, options, what));
    }
  };
  await step("list objects", (abortSignal) => client.send(new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 }), { abortSignal }));
  await step("write objects", (abortSignal) => client.send(new PutObjectCommand({ Bucket, Key, Body: text }), { abortSignal }));
  const stored = await step("read objects", async (abortSignal) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
    return Body?.transformToString();
  });
  await step("delete objects", (abortSignal) => client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }));
  if (stored !== text) throw new StorageSetupError(`The store at ${options.endpoint ?? "AWS"} returns other bytes than were written to it.`);
}
