/** Requests for the matrix rows about files. */
import { randomBytes } from "node:crypto";
import type { Row } from "../../db/schema.ts";
import { insertBlobs } from "../../modules/files/blob-rows.ts";
import type { UntypedInput } from "../client.ts";
import { EXTERNAL_FILE_URL, tusHeaders } from "../files.ts";
import type { Person } from "../people.ts";
import { inBody, inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

const homeFileId = ({ fixtures }: Scenario) => fixtures.home.file;
let counter = 0;
const newKey = (): string => randomBytes(16).toString("hex");
const newName = (): string => `matrix ${++counter}`;

/** Inserts a file in `home` as if this person had uploaded it, whether or not they could have. */
async function insertFile(
  { fixtures: { testApp, home } }: Scenario,
  actor: Person,
  { parent = home.folder, versionBy = actor }: { parent?: number; versionBy?: Person } = {},
): Promise<number> {
  // A second later than everything else, so that "findFiles" excludes it.
  const [name, key, now] = [newName(), newKey(), testApp.clock.now() + 1_000];
  const createdColumns = { created_by: actor.id, created_at: now };
  return testApp.database.write(async (tx) => {
    await insertBlobs(tx, 1, [{ key, size: 1, sha256: "" }], now);
    const { id } = await tx
      .insertInto("files")
      .values({
        project_id: home.project,
        parent_id: parent,
        is_folder: 0,
        name,
        name_key: name,
        uploader_id: versionBy.id,
        changed_at: now,
        ...createdColumns,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const version = await tx
      .insertInto("file_versions")
      .values({ file_id: id, number: 1, blob_key: key, size: 1, ...createdColumns, created_by: versionBy.id })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.updateTable("files").set({ version_id: version.id }).where("id", "=", id).execute();
    return id;
  });
}
async function insertFolder({ fixtures: { testApp, home } }: Scenario, actor: Person): Promise<number> {
  const name = newName();
  const values = {
    project_id: home.project,
    parent_id: home.root,
    is_folder: 1 as const,
    name,
    name_key: name,
    kind: "folder" as const,
    created_by: actor.id,
    uploader_id: actor.id,
    created_at: testApp.clock.now(),
  };
  return (await testApp.database.write((tx) => tx.insertInto("files").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
export async function insertDeletedFile(scenario: Scenario): Promise<number> {
  const id = await insertFile(scenario, scenario.fixtures.owner);
  await scenario.fixtures.testApp.database.write((tx) => tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", id).execute());
  return id;
}
/** Gives the file a second version, which becomes the current one. */
async function withEarlierVersion({ fixtures: { testApp } }: Scenario, fileId: number): Promise<number> {
  const key = newKey();
  await testApp.database.write(async (tx) => {
    await insertBlobs(tx, 1, [{ key, size: 1, sha256: "" }], testApp.clock.now());
    const { id: _id, ...first } = await tx.selectFrom("file_versions").selectAll().where("file_id", "=", fileId).executeTakeFirstOrThrow();
    const { id: second } = await tx
      .insertInto("file_versions")
      .values({ ...first, number: 2, blob_key: key })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.updateTable("files").set({ version_id: second }).where("id", "=", fileId).execute();
  });
  return fileId;
}
/** Marks a file as just deleted. */
async function markDeleted({ fixtures: { testApp } }: Scenario, id: number): Promise<number> {
  const deletion = { deleted_at: testApp.clock.now(), deleted_with: id };
  await testApp.database.write((tx) => tx.updateTable("files").set(deletion).where("id", "=", id).execute());
  return id;
}
const moveToRoot = ({ fixtures: { home } }: Scenario, id: number) => ({ body: { file_ids: [id], parent_id: home.root } });
/** Returns the file of `home` after marking all jobs as done. */
export async function fileWithoutPendingJobs({ fixtures: { testApp, home } }: Scenario): Promise<number> {
  await testApp.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
  return home.file;
}
async function findStatusId({ fixtures: { testApp } }: Scenario, team: number): Promise<number> {
  return (await testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", team).executeTakeFirstOrThrow()).id;
}
async function insertUpload({ fixtures: { testApp, home } }: Scenario, person: Person): Promise<string> {
  const id = newKey();
  await testApp.database.write((tx) =>
    tx
      .insertInto("uploads")
      .values({ id, account_id: person.id, destination: JSON.stringify({ chatOf: home.project, name: "x" }), size: 5, created_at: testApp.clock.now() })
      .execute(),
  );
  return id;
}

const contentRequest =
  (selectId: (scenario: Scenario) => number | Promise<number>): RequestBuilder =>
  async (scenario) => ({ params: { file_id: await selectId(scenario), number: 1, variant: "original" } });
const messageRequest =
  (selectId: (scenario: Scenario) => number | Promise<number>): RequestBuilder =>
  async (scenario) => ({ body: { project_id: scenario.fixtures.home.project, body: "matrix", attachment_ids: [await selectId(scenario)] } });
const bytes = Buffer.from("matrix");

const update = ({ fixtures: { testApp } }: Scenario, id: number, values: Partial<Pick<Row<"files">, "removal_protection" | "status_id">>) =>
  testApp.database.write((tx) => tx.updateTable("files").set(values).where("id", "=", id).execute());
/** Inserts the actor's own file in a folder of their own that is protected. */
async function insertInProtectedFolder(scenario: Scenario, actor: Person): Promise<number> {
  const folder = await insertFolder(scenario, actor);
  await update(scenario, folder, { removal_protection: 1 });
  return insertFile(scenario, actor, { parent: folder });
}
async function insertFinalFile(scenario: Scenario, actor: Person, parent = scenario.fixtures.home.folder): Promise<number> {
  const { fixtures } = scenario;
  const id = await insertFile(scenario, actor, { parent });
  const query = fixtures.testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", fixtures.home.team);
  await update(scenario, id, { status_id: (await query.where("is_final", "=", 1).executeTakeFirstOrThrow()).id });
  return id;
}

/** The rows about new versions of both operations that upload them. */
const versionRequests = (operation: "uploadFile" | "createUpload", createInput: (fileId: number) => UntypedInput): Record<string, RequestBuilder> => ({
  [`${operation} version of another's in home`]: async (scenario) => createInput(await insertFile(scenario, scenario.target)),
  [`${operation} version of one's own in home`]: async (scenario, actor) => createInput(await insertFile(scenario, actor)),
  [`${operation} version of own, protected`]: async (scenario, actor) => {
    const id = await insertFile(scenario, actor);
    await update(scenario, id, { removal_protection: 1 });
    return createInput(id);
  },
  [`${operation} version, folder protected`]: async (scenario, actor) => createInput(await insertInProtectedFolder(scenario, actor)),
  [`${operation} version of own, final`]: async (scenario, actor) => createInput(await insertFinalFile(scenario, actor)),
});

export const FILE_REQUESTS: Record<string, RequestBuilder> = {
  "sendMessage with a file of home": messageRequest(homeFileId),
  "sendMessage with a file of next": messageRequest(({ fixtures }) => fixtures.next.file),
  "sendMessage with a file of foreign": messageRequest(({ fixtures }) => fixtures.foreign.file),
  "sendMessage with a deleted file": messageRequest(insertDeletedFile),

  "getFileInfo of home": inBody("file_id", homeFileId),
  "getFileInfo of apart": inBody("file_id", ({ fixtures }) => fixtures.apart.file),
  "getFileInfo of foreign": inBody("file_id", ({ fixtures }) => fixtures.foreign.file),
  "getFileInfo deleted, of home": inBody("file_id", insertDeletedFile),
  "listFolder of home": inBody("file_id", ({ fixtures }) => fixtures.home.root),
  "listFolder of foreign": inBody("file_id", ({ fixtures }) => fixtures.foreign.root),
  "findFiles in the team of home": ({ fixtures }) => ({
    body: { team_id: fixtures.home.team, limit: 200, end_date: new Date(fixtures.testApp.clock.now() + 1).toISOString() },
  }),
  "findFiles in the team of apart": ({ fixtures }) => ({ body: { team_id: fixtures.apart.team, limit: 200 } }),
  "createFolder in home": ({ fixtures }) => ({ body: { name: newName(), parent_id: fixtures.home.root } }),
  "createFolder in apart": ({ fixtures }) => ({ body: { name: newName(), parent_id: fixtures.apart.root } }),
  "getFolderUrl of home": inBody("file_id", ({ fixtures }) => fixtures.home.folder),
  "updateFolder of home": ({ fixtures }) => ({ body: { file_id: fixtures.home.folder, task_load_protection: false } }),
  "updateFolder one's own in home": inBody("file_id", insertFolder),
  "renameFile another's in home": async (scenario) => ({ body: { file_id: await insertFile(scenario, scenario.target), name: newName() } }),
  "renameFile one's own in home": async (scenario, actor) => ({ body: { file_id: await insertFile(scenario, actor), name: newName() } }),
  "renameFile the root folder": ({ fixtures }) => ({ body: { file_id: fixtures.home.root, name: newName() } }),
  "renameFile of foreign": ({ fixtures }) => ({ body: { file_id: fixtures.foreign.file, name: newName() } }),
  "deleteFile another's in home": inBody("file_id", (scenario) => insertFile(scenario, scenario.target)),
  "deleteFile one's own in home": inBody("file_id", (scenario, actor) => insertFile(scenario, actor)),
  "deleteFile the root folder": inBody("file_id", ({ fixtures }) => fixtures.home.root),
  "deleteFile one's folder, another's file": async (scenario, actor) => {
    const folder = await insertFolder(scenario, actor);
    await insertFile(scenario, scenario.target, { parent: folder });
    return { body: { file_id: folder } };
  },
  "deleteFile one's own, final": inBody("file_id", (scenario, actor) => insertFinalFile(scenario, actor)),
  "listFiles of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "listFiles of apart": inPath("project_id", ({ fixtures }) => fixtures.apart.project),
  "listFiles of home, a folder of next": ({ fixtures }) => ({ params: { project_id: fixtures.home.project }, query: { folder_id: fixtures.next.folder } }),
  "listFolders of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "listFolders of foreign": inPath("project_id", ({ fixtures }) => fixtures.foreign.project),
  "getFileFacets of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "getFileFacets of foreign": inPath("project_id", ({ fixtures }) => fixtures.foreign.project),
  "moveFiles another's in home": async (scenario) => moveToRoot(scenario, await insertFile(scenario, scenario.target)),
  "moveFiles one's own in home": async (scenario, actor) => moveToRoot(scenario, await insertFile(scenario, actor)),
  "moveFiles the root folder": ({ fixtures: { home } }) => ({ body: { file_ids: [home.root], parent_id: home.folder } }),
  "moveFiles one's folder, another's file": async (scenario, actor) => {
    const folder = await insertFolder(scenario, actor);
    await insertFile(scenario, scenario.target, { parent: folder });
    return { body: { file_ids: [folder], parent_id: scenario.fixtures.home.folder } };
  },
  "moveFiles own, of a protected folder": async (scenario, actor) => moveToRoot(scenario, await insertInProtectedFolder(scenario, actor)),
  "moveFiles one's own, final": async (scenario, actor) => moveToRoot(scenario, await insertFinalFile(scenario, actor)),
  "moveFiles of apart to home": (scenario) => moveToRoot(scenario, scenario.fixtures.apart.file),
  "deleteFiles another's in home": async (scenario) => ({ body: { file_ids: [await insertFile(scenario, scenario.target)] } }),
  "deleteFiles one's own in home": async (scenario, actor) => ({ body: { file_ids: [await insertFile(scenario, actor)] } }),
  "deleteFiles one's own, another's version": async (scenario, actor) => ({
    body: { file_ids: [await insertFile(scenario, actor, { versionBy: scenario.target })] },
  }),
  "deleteFiles another's, one's own version": async (scenario, actor) => ({
    body: { file_ids: [await insertFile(scenario, scenario.target, { versionBy: actor })] },
  }),
  "deleteFiles one's folder, another's file": async (scenario, actor) => {
    const folder = await insertFolder(scenario, actor);
    await insertFile(scenario, scenario.target, { parent: folder });
    return { body: { file_ids: [folder] } };
  },
  "deleteFiles own, of a protected folder": async (scenario, actor) => ({ body: { file_ids: [await insertInProtectedFolder(scenario, actor)] } }),
  "deleteFiles one's own, final": async (scenario, actor) => ({ body: { file_ids: [await insertFinalFile(scenario, actor)] } }),
  "deleteFiles one's folder, final file": async (scenario, actor) => {
    const folder = await insertFolder(scenario, actor);
    await insertFinalFile(scenario, actor, folder);
    return { body: { file_ids: [folder] } };
  },
  "listDeletedFiles of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "getDeletedFile another's in home": inPath("file_id", async (scenario) => markDeleted(scenario, await insertFile(scenario, scenario.target))),
  "getDeletedFile one's own in home": inPath("file_id", async (scenario, actor) => markDeleted(scenario, await insertFile(scenario, actor))),
  "restoreFiles another's in home": async (scenario) => ({ body: { file_ids: [await markDeleted(scenario, await insertFile(scenario, scenario.target))] } }),
  "restoreFiles one's own in home": async (scenario, actor) => ({ body: { file_ids: [await markDeleted(scenario, await insertFile(scenario, actor))] } }),
  "updateFile another's in home": async (scenario) => ({ params: { file_id: await insertFile(scenario, scenario.target) }, body: { name: newName() } }),
  "updateFile one's own in home": async (scenario, actor) => ({ params: { file_id: await insertFile(scenario, actor) }, body: { removal_protection: true } }),
  "updateFile of foreign": ({ fixtures }) => ({ params: { file_id: fixtures.foreign.file }, body: { name: newName() } }),
  "getArchive of home": ({ fixtures }) => ({ query: { ids: `${fixtures.home.file}` } }),
  "getArchive of foreign": ({ fixtures }) => ({ query: { ids: `${fixtures.foreign.file}` } }),
  "getArchive deleted, of home": async (scenario) => ({ query: { ids: `${await insertDeletedFile(scenario)}` } }),
  "uploadExternal to home": ({ fixtures }) => ({ body: { url: EXTERNAL_FILE_URL, parent_id: fixtures.home.folder } }),
  "uploadFile to home": ({ fixtures }) => ({ query: { parent_id: fixtures.home.folder, name: newName() }, bytes }),
  "uploadFile to apart": ({ fixtures }) => ({ query: { parent_id: fixtures.apart.folder, name: newName() }, bytes }),
  ...versionRequests("uploadFile", (version_of) => ({ query: { version_of }, bytes })),
  "generateTags of home": inBody("file_id", fileWithoutPendingJobs),
  "retryProcessing of home": inPath("file_id", fileWithoutPendingJobs),
  "setFileStatus of home": async (scenario) => ({
    body: { file_id: scenario.fixtures.home.file, status_id: await findStatusId(scenario, scenario.fixtures.home.team) },
  }),
  "setFileStatus of one's own in home": async (scenario, actor) => ({
    body: { file_id: await insertFile(scenario, actor), status_id: await findStatusId(scenario, scenario.fixtures.home.team) },
  }),
  "setFileStatus of foreign, status of home": async (scenario) => ({
    body: { file_id: scenario.fixtures.foreign.file, status_id: await findStatusId(scenario, scenario.fixtures.home.team) },
  }),
  "listStatusChanges of home": inPath("file_id", homeFileId),
  "restoreVersion another's in home": async (scenario) => ({
    params: { file_id: await withEarlierVersion(scenario, await insertFile(scenario, scenario.target)), number: 1 },
  }),
  "restoreVersion one's own in home": async (scenario, actor) => ({
    params: { file_id: await withEarlierVersion(scenario, await insertFile(scenario, actor)), number: 1 },
  }),
  "listVersions of home": inPath("file_id", homeFileId),
  "getPeaks of home": inPath("file_id", homeFileId),
  "getPeaksLevel of home": ({ fixtures }) => ({ params: { file_id: fixtures.home.file, number: 1, level: 0 } }),
  "getContent of home": contentRequest(homeFileId),
  "getContent of foreign": contentRequest(({ fixtures }) => fixtures.foreign.file),
  "getContent deleted, of home": contentRequest(insertDeletedFile),
  "createSignedUrl of home": inPath("file_id", homeFileId, {}),
  "createUpload to the chat of home": ({ fixtures }) => ({ headers: tusHeaders(5, { name: newName(), project_id: fixtures.home.project }) }),
  "createUpload to a folder of home": ({ fixtures }) => ({ headers: tusHeaders(5, { name: newName(), parent_id: fixtures.home.folder }) }),
  ...versionRequests("createUpload", (version_of) => ({ headers: tusHeaders(5, { version_of }) })),
  "getUpload one's own": async (scenario, actor) => ({ params: { upload_id: await insertUpload(scenario, actor) } }),
  "getUpload of member": async (scenario) => ({ params: { upload_id: await insertUpload(scenario, scenario.fixtures.member) } }),
};
