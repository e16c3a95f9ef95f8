/** Reads and writes upgrade fixtures: a data folder of an earlier version, in one compressed file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

export interface UpgradeFixture {
  /** The commit whose code made the data. */
  commit: string;
  /** The migrations of that version, in the order in which they ran. */
  migrations: string[];
  /** The requests that the version accepted, such as `POST /api/v2/playlists`. */
  requests: string[];
  /** What `fill.ts` has written, to be found again by a later version. */
  content: FixtureContent;
  /** The files of the data folder by path. */
  files: Record<string, Uint8Array>;
}

/** What every version can show again. */
export interface FixtureContent {
  login: string;
  password: string;
  /** An API token of the owner, with all scopes that the version had. */
  token: string;
  projectId: number;
  /** The texts of the project's chat, oldest first, without deleted messages. */
  messages: string[];
  /** SHA-256 of the original of each version of each file. */
  originals: { fileId: number; version: number; sha256: string }[];
  comments: { fileId: number; bodies: string[] } | null;
  taskTitles: string[] | null;
  playlistNames: string[] | null;
  /** The endpoint's id and its signing secret, which is stored encrypted. */
  webhook: { id: number; deliveries: number } | null;
}

/** The secrets in the fixtures are encrypted with this key, which is no secret. */
export const FIXTURE_KEY = Buffer.from("The key of all upgrade fixtures.").toString("base64");

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const EXTENSION = ".fixture";

/** Returns the names of all fixtures, oldest first: each is the name of the newest migration that its version had. */
export const listFixtures = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(EXTENSION))
    .map((name) => name.slice(0, -EXTENSION.length))
    .toSorted();

export const readFixture = (name: string): UpgradeFixture => deserialize(brotliDecompressSync(readFileSync(join(FOLDER, name + EXTENSION)))) as UpgradeFixture;

/** Writes the fixture and returns its size in bytes. */
export function writeFixture(fixture: UpgradeFixture): number {
  const bytes = brotliCompressSync(serialize(fixture), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  writeFileSync(join(FOLDER, fixture.migrations.at(-1)! + EXTENSION), bytes);
  return bytes.length;
}

/** Reads all files of a folder, by path. */
export const readFolder = (folder: string): Record<string, Uint8Array> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [relative(folder, join(parentPath, name)), readFileSync(join(parentPath, name))]),
  );

/** Creates the data folder of the fixture. */
export function unpackFixture({ files }: UpgradeFixture, folder: string): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode: 0o600 });
  }
}
