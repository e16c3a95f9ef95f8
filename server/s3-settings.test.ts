import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "talkback-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));
const KEYS = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "swordfish" };

test("files are on the local disk without a bucket", () => {
  expect(readConfig({}).s3).toBeNull();
});

test("a bucket of AWS and one of another store have the defaults that fit them", () => {
  const s3 = { bucket: "takes", prefix: "", signedUrls: false, publicEndpoint: null, region: "us-east-1" };
  expect(readConfig({ S3_BUCKET: "takes" }).s3).toEqual({ ...s3, endpoint: null, forcePathStyle: false, credentials: null });
  const other = { S3_BUCKET: "takes", S3_ENDPOINT: "http://127.0.0.1:9000/", ...KEYS };
  const expected = { ...s3, endpoint: "http://127.0.0.1:9000", forcePathStyle: true, credentials: { accessKeyId: "key", secretAccessKey: "swordfish" } };
  expect(readConfig(other).s3).toEqual(expected);
  expect(readConfig({ ...other, S3_FORCE_PATH_STYLE: "off", S3_PREFIX: "a/b", S3_REGION: "eu-central-1", S3_SIGNED_URLS: "on" }).s3).toEqual({
    ...expected,
    forcePathStyle: false,
    prefix: "a/b/",
    region: "eu-central-1",
    signedUrls: true,
  });
});

test("credentials may be in files", () => {
  const [id, secret] = [join(folder, "id"), join(folder, "secret")];
  writeFileSync(id, "from a file\n");
  writeFileSync(secret, "  marmalade\n");
  const { s3 } = readConfig({ S3_BUCKET: "takes", S3_ACCESS_KEY_ID_FILE: id, S3_SECRET_ACCESS_KEY_FILE: secret });
  expect(s3?.credentials).toEqual({ accessKeyId: "from a file", secretAccessKey: "marmalade" });
});

test.each<[Record<string, string>, RegExp]>([
  [{ S3_ENDPOINT: "https://s3.example" }, /^S3_BUCKET is required/],
  [{ S3_SIGNED_URLS: "on" }, /^S3_BUCKET is required/],
  [{ S3_BUCKET: "Takes" }, /^S3_BUCKET must be the name of a bucket/],
  [{ S3_BUCKET: "takes", S3_ENDPOINT: "s3.example" }, /^S3_ENDPOINT must be a URL/],
  [{ S3_BUCKET: "takes", S3_PREFIX: "../other" }, /^S3_PREFIX must be a path/],
  [{ S3_BUCKET: "takes", S3_PREFIX: "/a" }, /^S3_PREFIX must be a path/],
  [{ S3_BUCKET: "takes", S3_REGION: "a b" }, /^S3_REGION must be a region/],
  [{ S3_BUCKET: "takes", S3_ACCESS_KEY_ID: "key" }, /^S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY require each other/],
  [{ S3_BUCKET: "takes", ...KEYS, S3_SECRET_ACCESS_KEY_FILE: import.meta.filename }, /^S3_SECRET_ACCESS_KEY and S3_SECRET_ACCESS_KEY_FILE are both set/],
  [{ S3_BUCKET: "takes", S3_SECRET_ACCESS_KEY_FILE: "/nowhere/secret" }, /^S3_SECRET_ACCESS_KEY_FILE cannot be read: ENOENT/],
  [{ S3_BUCKET: "takes", S3_ACCESS_KEY_ID_FILE: "/dev/null", S3_SECRET_ACCESS_KEY: "swordfish" }, /^S3_ACCESS_KEY_ID_FILE must not be an empty file/],
  [{ S3_BUCKET: "takes", S3_ENDPOINT: "http://10.0.0.2:9000", PUBLIC_URL: "https://talkback.example", S3_SIGNED_URLS: "on" }, /Set S3_PUBLIC_ENDPOINT/],
])("refuses %j", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
  const error = (() => {
    try {
      return readConfig(environment);
    } catch (cause) {
      return (cause as Error).message;
    }
  })();
  expect(error).not.toContain("swordfish");
});
