/** Settings of an S3-compatible store for the bytes of files, instead of the local disk. */
import { defineSetting, parseSwitch, parseUrl } from "./setting.ts";

export interface S3Config {
  /** null: AWS itself. */
  endpoint: string | null;
  /** Address of the store for browsers; null: the same. */
  publicEndpoint: string | null;
  bucket: string;
  region: string;
  /** The bucket is in the path of an address instead of its host. */
  forcePathStyle: boolean;
  /** What all object keys begin with: "" or a path that ends with "/". */
  prefix: string;
  /** null: the default chain of the AWS SDK, such as the role of a machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Whether browsers load media straight from the store. */
  signedUrls: boolean;
}

/** The parsed settings. */
export interface S3Values {
  s3Endpoint: string | null;
  s3Bucket: string;
  s3Region: string;
  s3ForcePathStyle: boolean | null;
  s3Prefix: string;
  s3AccessKeyId: string;
  s3SecretAccessKey: string;
  s3SignedUrls: boolean;
  s3PublicEndpoint: string | null;
}

export const S3_SETTINGS = {
  s3Bucket: defineSetting({
    name: "S3_BUCKET",
    defaultText: "",
    description: "Bucket of an S3-compatible store for the bytes of files, instead of `DATA_DIR/files`.",
    parse(text) {
      if (text !== "" && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) throw new Error("must be the name of a bucket, such as talkback-files");
      return text;
    },
  }),
  s3Endpoint: defineSetting({
    name: "S3_ENDPOINT",
    defaultText: "",
    description: "Address of the store, such as `https://s3.studio.example`. Default: AWS.",
    parse: parseUrl,
  }),
  s3Region: defineSetting({
    name: "S3_REGION",
    defaultText: "us-east-1",
    description: "Region of the bucket. Many stores accept any.",
    parse(text) {
      if (!/^[\w-]{1,60}$/.test(text)) throw new Error("must be a region such as eu-central-1");
      return text;
    },
  }),
  s3ForcePathStyle: defineSetting({
    name: "S3_FORCE_PATH_STYLE",
    defaultText: "",
    description: "`off`: the bucket is in the host name of addresses. Default: `on` with `S3_ENDPOINT`, else `off`.",
    parse: (text) => (text === "" ? null : parseSwitch(text)),
  }),
  s3Prefix: defineSetting({
    name: "S3_PREFIX",
    defaultText: "",
    description: "Folder in the bucket, such as `talkback/`. Each installation needs its own.",
    parse(text) {
      if (!/^([\w-][\w.-]*(\/[\w-][\w.-]*)*\/?)?$/.test(text)) throw new Error("must be a path such as talkback/files");
      return text === "" || text.endsWith("/") ? text : `${text}/`;
    },
  }),
  s3AccessKeyId: defineSetting({
    name: "S3_ACCESS_KEY_ID",
    defaultText: "",
    description:
      "Access key of the store; `S3_ACCESS_KEY_ID_FILE` names a file with it. Without it, the AWS SDK looks for credentials, such as the role of the machine.",
    parse: (text) => text,
  }),
  s3SecretAccessKey: defineSetting({
    name: "S3_SECRET_ACCESS_KEY",
    defaultText: "",
    description: "Secret of the access key; `S3_SECRET_ACCESS_KEY_FILE` names a file with it.",
    parse: (text) => text,
  }),
  s3SignedUrls: defineSetting({
    name: "S3_SIGNED_URLS",
    defaultText: "off",
    description: "`on`: browsers load media and downloads straight from the store, with URLs that work for at most ten minutes.",
    parse: parseSwitch,
  }),
  s3PublicEndpoint: defineSetting({
    name: "S3_PUBLIC_ENDPOINT",
    defaultText: "",
    description: "Address under which browsers reach the store, for `S3_SIGNED_URLS`. Default: `S3_ENDPOINT`.",
    parse: parseUrl,
  }),
};
/** Settings whose values are not shown, and may come from files. */
export const S3_SECRETS = ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];

/** Returns the issues that several settings have together. `publicUrl`: of the service, null if it is the default. */
export function findS3Issues(values: S3Values, publicUrl: string | null): string[] {
  const { s3Bucket, s3Endpoint, s3AccessKeyId, s3SecretAccessKey, s3SignedUrls, s3PublicEndpoint } = values;
  const issues: string[] = [];
  if (!s3Bucket) {
    const isSet = s3Endpoint || s3AccessKeyId || s3SecretAccessKey || s3SignedUrls || s3PublicEndpoint;
    return isSet ? ["S3_BUCKET is required with the other settings of S3: the bucket that stores the files"] : [];
  }
  if (Boolean(s3AccessKeyId) !== Boolean(s3SecretAccessKey)) issues.push("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY require each other");
  const address = s3PublicEndpoint ?? s3Endpoint;
  if (s3SignedUrls && publicUrl?.startsWith("https:") && address?.startsWith("http:"))
    issues.push("S3_SIGNED_URLS=on requires an https:// address of the store, because PUBLIC_URL is https. Set S3_PUBLIC_ENDPOINT");
  return issues;
}

/** Returns null where files are on the local disk. */
export function readS3Config(values: S3Values): S3Config | null {
  if (!values.s3Bucket) return null;
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = values;
  return {
    endpoint: values.s3Endpoint,
    publicEndpoint: values.s3PublicEndpoint,
    bucket: values.s3Bucket,
    region: values.s3Region,
    forcePathStyle: values.s3ForcePathStyle ?? values.s3Endpoint !== null,
    prefix: values.s3Prefix,
    credentials: accessKeyId ? { accessKeyId, secretAccessKey } : null,
    signedUrls: values.s3SignedUrls,
  };
}
