/** Creates test files: uploaded, and in the state in which the media worker leaves them. */
import { join } from "node:path";
import { Readable } from "node:stream";
import * as files from "../../contract/operations/files.ts";
import type { FileFetcher } from "../delivery/fetch-file.ts";
import { createGuard } from "../delivery/guard.ts";
import { invalid } from "../lib/errors.ts";
import { insertBlobs } from "../modules/files/blob-rows.ts";
import { syncFileFacts } from "../modules/files/entry-rows.ts";
import { openLocalDisk } from "../storage/local-disk.ts";
import { openS3 } from "../storage/s3/open-s3.ts";
import type { Storage } from "../storage/storage.ts";
import type { Caller } from "./client.ts";
import type { TestApp } from "./test-app.ts";

/** Opens the storage of this test app, as a second process would. */
export function openStorage({ config }: Pick<TestApp, "config">): Storage {
  const localDisk = openLocalDisk(join(config.dataDir, "files"));
  return config.s3 ? openS3(config.s3, localDisk) : localDisk;
}

export interface UploadInput {
  parent?: number;
  name?: string;
  versionOf?: number;
  bytes?: Buffer | string;
}

/** Uploads a file and returns its id. */
export async function upload(
  testApp: TestApp,
  caller: Caller,
  { parent, name = "mix.wav", versionOf, bytes = "RIFF some sound" }: UploadInput,
): Promise<number> {
  const query = versionOf === undefined ? { parent_id: parent, name } : { version_of: versionOf };
  const reply = await testApp.callUntyped(caller, files.uploadFile, { query, bytes: Buffer.from(bytes) });
  return (reply.response as { file_id: number }).file_id;
}

/** Creates a folder and returns its id. */
export const createFolder = async (testApp: TestApp, caller: Caller, parent: number, name: string): Promise<number> =>
  (await testApp.call(caller, files.createFolder, { body: { name, parent_id: parent } })).response.data.id;

export const currentVersion = (testApp: TestApp, fileId: number) =>
  testApp.database.read
    .selectFrom("files")
    .innerJoin("file_versions", "file_versions.id", "files.version_id")
    .selectAll("file_versions")
    .where("files.id", "=", fileId)
    .executeTakeFirstOrThrow();

/** Adds up the blobs of all organizations, and throws unless the service has the same totals. */
export async function storedBytes({ database }: TestApp): Promise<number> {
  const sums = await database.read
    .selectFrom("blobs")
    .select(["organisation_id", ({ fn }) => fn.sum<number | string>("size").as("bytes")])
    .where("deleted_at", "is", null)
    .groupBy("organisation_id")
    .execute();
  const totals = await database.read.selectFrom("stored_bytes").selectAll().execute();
  for (const { organisation_id, bytes } of totals) {
    const sum = Number(sums.find((one) => one.organisation_id === organisation_id)?.bytes ?? 0);
    if (sum !== bytes) throw new Error(`Organization ${organisation_id} has ${sum} bytes, but counts ${bytes}`);
  }
  if (sums.length > totals.length) throw new Error("The bytes of an organization are not counted");
  return sums.reduce((total, { bytes }) => total + Number(bytes), 0);
}

/** Sets the current version to the state in which the media worker leaves an audio file, with derived blobs in storage. */
export async function markProcessed(testApp: TestApp, fileId: number): Promise<void> {
  const storage = openStorage(testApp);
  const { id, blob_key } = await currentVersion(testApp, fileId);
  const { organisation_id } = await testApp.database.read.selectFrom("blobs").select("organisation_id").where("key", "=", blob_key).executeTakeFirstOrThrow();
  const storeBlob = async (text: string) => {
    const blob = await storage.put(Readable.from([Buffer.from(text)]), { maxBytes: 1_000 });
    await testApp.database.write((tx) => insertBlobs(tx, organisation_id, [blob], testApp.clock.now()));
    return blob.key;
  };
  const levels = [
    { samplesPerPixel: 64, length: 5, bytes: 10, key: await storeBlob("peaks fine") },
    { samplesPerPixel: 256, length: 2, bytes: 12, key: await storeBlob("peaks coarse") },
  ];
  const changes = {
    kind: "audio" as const,
    media_type: "audio/wav",
    transcoding_status: "transcoded" as const,
    duration: 2.5,
    wave: JSON.stringify([0, 0.5, 1]),
    short_wave: JSON.stringify([0.5]),
    probe: JSON.stringify({
      annotations: { title: "Intro" },
      audioEncoding: "pcm_s24le",
      bitrate: "2304000",
      bitsPerSample: 24,
      duration: 2.5,
      channels: 2,
      samples: 120_000,
      sampleRate: 48_000,
      container: "wav",
    }),
    tags: JSON.stringify({
      bpm: 120,
      bpmConfidence: 0.9,
      keys: ["A minor"],
      keyConfidence: 0.8,
      genres: [],
      moods: [],
      instruments: [],
      model: { state: "not-installed" },
    }),
    peaks: JSON.stringify({ channels: 1, sampleRate: 48_000, levels }),
    compressed_key: await storeBlob("compressed"),
    compressed_type: "audio/mp4",
  };
  await testApp.database.write(async (tx) => {
    await tx.updateTable("file_versions").set(changes).where("id", "=", id).execute();
    await syncFileFacts(tx, testApp.engine, id);
    await tx.updateTable("jobs").set({ state: "done", done_at: testApp.clock.now() }).where("subject_id", "=", id).execute();
  });
}

/** Headers that create a tus upload. `size` is in bytes. */
export function tusHeaders(size: number, metadata: Record<string, string | number>): Record<string, string> {
  const pairs = Object.entries(metadata).map(([name, value]) => `${name} ${Buffer.from(String(value)).toString("base64")}`);
  return { "tus-resumable": "1.0.0", "upload-length": String(size), "upload-metadata": pairs.join(",") };
}

/** Creates a tus upload and returns its URL. */
export async function createTusUpload(testApp: TestApp, caller: Caller, size: number, metadata: Record<string, string | number>): Promise<string> {
  const reply = await testApp.send(caller, { method: "POST", url: files.createUpload.path, headers: tusHeaders(size, metadata) });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return String(reply.headers["location"]);
}
export const uploadIdFromUrl = (address: string): string => address.split("/").at(-1) ?? "";

export const EXTERNAL_FILE_URL = "https://files.example/takes/take%20one.wav";
const guard = createGuard({ allowHttp: false, allowCidrs: [] });
/** A fetcher that serves a single URL without a network; the real fetcher has its own tests. */
export const singleFileFetcher: FileFetcher = {
  async fetch(address) {
    try {
      guard.assertUrlAllowed(address);
    } catch (error) {
      throw invalid("url", (error as Error).message);
    }
    if (address !== EXTERNAL_FILE_URL) throw invalid("url", "has an unknown host name");
    return { body: Readable.from([Buffer.from("from elsewhere")]), bytes: 14, fileName: "take one.wav", end: () => {} };
  },
  close: async () => {},
};
