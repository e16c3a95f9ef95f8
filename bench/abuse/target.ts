/** Starts a service with large projects, a guest who attacks it, and other people who use it meanwhile. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { foldName, nameOrderKey } from "../../contract/file-order.ts";
import { readConfig } from "../../server/config.ts";
import { createModules } from "../../server/create-modules.ts";
import { openSqliteDatabase } from "../../server/db/database.ts";
import type { Tx } from "../../server/db/schema.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { loadMasterKey } from "../../server/master-key.ts";
import { createAccount } from "../../server/modules/accounts/create-account.ts";
import { issueToken } from "../../server/modules/accounts/api-tokens.ts";
import { joinProject } from "../../server/modules/projects/memberships.ts";
import { createOwner, startService, type ServiceProcess } from "../../server/testing/service-process.ts";
import { BLOB_KEY, createFileInserter, insertLibrary, type Library } from "../data/insert-files.ts";

type Headers = Record<string, string>;

export interface Target {
  service: ServiceProcess;
  folder: string;
  /** A guest; where the attack needs it, a member of another role. */
  guest: Headers;
  member: Headers;
  owner: Headers;
  /** People who make cheap requests during the attacks; several, so that each stays below the rate limit. */
  others: Headers[];
  /** The project of the others. */
  project: number;
  /** A project with many files, folders, long messages and comments, in which the guest and the member are too. */
  large: { project: number; root: number; fullFolder: number; commentedFile: number };
  close(): Promise<void>;
}

export interface Amounts {
  files: number;
  folders: number;
  messages: number;
}

const SCOPES = ["chat:read", "chat:write", "files:read", "files:write"] as const;
const OTHERS = 6;
/** Of each file. */
const BLOB_BYTES = 1_000_000;
const ROWS_PER_INSERT = 500;

async function insertFolders(tx: Tx, project: number, parent: number, count: number): Promise<void> {
  for (let offset = 0; offset < count; offset += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - offset) }, (_, index) => {
      const name = `Folder of one upload ${offset + index}`;
      const derived = { name_key: name.toLowerCase(), folded_name: foldName(name), order_key: nameOrderKey(name, true) };
      return { project_id: project, parent_id: parent, is_folder: 1 as const, kind: "folder" as const, name, ...derived, created_by: 1, created_at: 1 };
    });
    await tx.insertInto("files").values(rows).execute();
  }
}

const LONG_TEXT = "\u{1F3B5}".repeat(5_000);

async function insertComments(tx: Tx, project: number, file: number, account: number, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const row = { project_id: project, file_id: file, version: 1, position_ms: index, end_ms: null, parent_id: null, account_id: account, body: LONG_TEXT };
    await tx
      .insertInto("comments")
      .values({ ...row, client_id: null, request_hash: null, created_at: index + 1 })
      .execute();
  }
}

async function insertMessages(tx: Tx, project: number, account: number, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const row = {
      project_id: project,
      account_id: account,
      body: LONG_TEXT,
      type: "message",
      is_audio_message: 0 as const,
      revision: 1,
      created_at: index + 1,
    };
    await tx.insertInto("messages").values(row).execute();
  }
}

/** Creates a project with so many files. */
function insertLargeProject(folder: string, files: number): Library & { project: number } {
  const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
  database.exec("begin");
  const { project } = database
    .prepare("insert into projects (team_id, name, description, created_at, created_by) select id, 'Large', '', 0, 1 from teams returning id as project")
    .get() as { project: number };
  const inserted = insertLibrary(createFileInserter(database, { people: [1], end: Date.now(), count: files + 100 }), project, files);
  database.exec("commit");
  database.close();
  return { project, ...inserted };
}

/** `overrides`: settings of the service, as environment variables. */
export async function startTarget({ files, folders, messages }: Amounts, overrides: Record<string, string> = {}): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-abuse-"));
  const owner = await createOwner(folder);
  const seeded = insertLargeProject(folder, files);
  const database = openSqliteDatabase(folder);
  const { services, deps } = createModules({ database, config: readConfig({ DATA_DIR: folder }), masterKey: loadMasterKey(readConfig({ DATA_DIR: folder })) });
  const now = systemClock.now();
  const ownerToken = await database.write((tx) => issueToken(tx, now, 1, { name: "abuse", scopes: [...SCOPES], expiresAt: null }));
  const ownerActor = (await services.authentication.byBearer(ownerToken.token))!;
  const [team] = await database.read.selectFrom("teams").select("id").execute();
  const project = await services.projects.create(ownerActor, { teamId: team!.id, groupId: null, name: "Album", description: "" }, null);
  const join_ = async (tx: Tx, username: string, role: "member" | "guest", projects: number[]): Promise<{ id: number; headers: Headers }> => {
    const account = await createAccount(tx, database.engine, now, {
      organisationId: ownerActor.organisationId,
      role,
      username,
      email: `${username}@talkback.test`,
      passwordHash: "none",
    });
    for (const id of projects)
      await joinProject(tx, deps, now, await tx.selectFrom("projects").selectAll().where("id", "=", id).executeTakeFirstOrThrow(), account);
    const { token } = await issueToken(tx, now, account.id, { name: "abuse", scopes: [...SCOPES], expiresAt: null });
    return { id: account.id, headers: { authorization: `Bearer ${token}` } };
  };
  const people = await database.write(async (tx) => {
    const guest = await join_(tx, "guest", "guest", [seeded.project]);
    const member = await join_(tx, "member", "member", [seeded.project]);
    const others = [];
    for (let index = 0; index < OTHERS; index += 1) others.push((await join_(tx, `other${index}`, "member", [project.id])).headers);
    await insertFolders(tx, seeded.project, seeded.root, folders);
    await insertMessages(tx, seeded.project, guest.id, messages);
    await insertComments(tx, seeded.project, seeded.file, guest.id, messages);
    return { guest: guest.headers, member: member.headers, others };
  });
  await database.close();
  const blobFolder = join(folder, "files", "blobs", BLOB_KEY.slice(0, 2));
  mkdirSync(blobFolder, { recursive: true });
  writeFileSync(join(blobFolder, BLOB_KEY), Buffer.alloc(BLOB_BYTES));
  const service = await startService(folder, { RATE_LIMIT: "1200", ...overrides });
  return {
    service,
    folder,
    guest: people.guest,
    member: people.member,
    owner: owner.headers,
    others: people.others,
    project: project.id,
    large: { project: seeded.project, root: seeded.root, fullFolder: seeded.fullFolder, commentedFile: seeded.file },
    async close() {
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
