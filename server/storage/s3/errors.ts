/** Reads the errors of the S3 client. */

interface SdkError {
  name?: string;
  code?: string;
  Code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Returns the code of an error, such as `NoSuchKey`. */
export const nameOf = (error: unknown): string => {
  const { Code, name, code } = (error ?? {}) as SdkError;
  return Code ?? (name && name !== "Error" ? name : (code ?? ""));
};

/** Returns the HTTP status with which the store responded; undefined if it did not. */
export const statusOf = (error: unknown): number | undefined => ((error ?? {}) as SdkError).$metadata?.httpStatusCode;

/** Nothing is stored under the key. A missing bucket is an error of the setup. */
export const isMissing = (error: unknown): boolean => {
  const name = nameOf(error);
  return name === "NoSuchKey" || name === "NoSuchUpload" || name === "NotFound" || (statusOf(error) === 404 && name !== "NoSuchBucket");
};

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const TRANSIENT_NAMES = /^(RequestTimeout|SlowDown|Throttl|InternalError|ServiceUnavailable|BadDigest|IncompleteBody)/;

/** Whether the same request may succeed a little later: the store is busy, or the connection failed. */
export const isTransient = (error: unknown): boolean => {
  const status = statusOf(error);
  return status === undefined || TRANSIENT_STATUSES.has(status) || TRANSIENT_NAMES.test(nameOf(error));
};
