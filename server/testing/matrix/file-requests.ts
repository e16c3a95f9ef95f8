/** How the rows about files are asked. */
import { randomBytes } from "node:crypto";
import { ELSEWHERE, tusHeaders } from "../files.ts";
import type { Person } from "../people.ts";
import type { Stage } from "./actors.ts";
import { inBody, inPath, type Ask } from "./ask.ts";

const homeFile = ({ cast }: Stage) => cast.home.file;
let drawn = 0;
const newKey = (): string => randomBytes(16).toString("hex");
const newName = (): string => `matrix ${++drawn}`;

/** A file in `home` that this person seems to have brought, whether or not they could have. */
async function fileBy({ cast: { world, home } }: Stage, by: Person, parent = home.folder): Promise<number> {
  // A second later than everything else: "findFiles" leaves them out.
  const [name, key, now] = [newName(), newKey(), world.clock.now() + 1_000];
  const made = { created_by: by.id, created_at: now };
  return world.database.write(async (tx) => {
    await tx.insertInto("blobs").values({ key, organisation_id: 1, size: 1, sha256: "", created_at: now }).execute();
    const { id } = await tx
      .insertInto("files")
      .values({ project_id: home.project, parent_id: parent, is_folder: 0, name, name_key: name, uploader_id: by.id, ...made })
      .returning("id")
      .executeTakeFirstOrThrow();
    const version = await tx
      .insertInto("file_versions")
      .values({ file_id: id, number: 1, blob_key: key, size: 1, ...made })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.updateTable("files").set({ version_id: version.id }).where("id", "=", id).execute();
    return id;
  });
}
async function folderBy({ cast: { world, home } }: Stage, by: Person): Promise<number> {
  const name = newName();
  const values = {
    project_id: home.project,
    parent_id: home.root,
    is_folder: 1 as const,
    name,
    name_key: name,
    kind: "folder" as const,
    created_by: by.id,
    uploader_id: by.id,
    created_at: world.clock.now(),
  };
  return (await world.database.write((tx) => tx.insertInto("files").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
async function deletedFile(stage: Stage): Promise<number> {
  const id = await fileBy(stage, stage.cast.owner);
  await stage.cast.world.database.write((tx) => tx.updateTable("files").set({ deleted_at: 1 }).where("id", "=", id).execute());
  return id;
}
/** As it is a moment after somebody deleted it. */
async function deleted({ cast: { world } }: Stage, id: number): Promise<number> {
  const act = { deleted_at: world.clock.now(), deleted_with: id };
  await world.database.write((tx) => tx.updateTable("files").set(act).where("id", "=", id).execute());
  return id;
}
const moveToRoot = ({ cast: { home } }: Stage, id: number) => ({ body: { file_ids: [id], parent_id: home.root } });
/** No job of it is waiting. */
async function idleFile({ cast: { world, home } }: Stage): Promise<number> {
  await world.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
  return home.file;
}
async function statusOf({ cast: { world } }: Stage, team: number): Promise<number> {
  return (await world.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", team).executeTakeFirstOrThrow()).id;
}
async function uploadOf({ cast: { world, home } }: Stage, person: Person): Promise<string> {
  const id = newKey();
  await world.database.write((tx) =>
    tx
      .insertInto("uploads")
      .values({ id, account_id: person.id, destination: JSON.stringify({ chatOf: home.project, name: "x" }), size: 5, created_at: world.clock.now() })
      .execute(),
  );
  return id;
}

const content =
  (pick: (stage: Stage) => number | Promise<number>): Ask =>
  async (stage) => ({ params: { file_id: await pick(stage), number: 1, variant: "original" } });
const withFile =
  (pick: (stage: Stage) => number | Promise<number>): Ask =>
  async (stage) => ({ body: { project_id: stage.cast.home.project, body: "matrix", attachment_ids: [await pick(stage)] } });
const bytes = Buffer.from("matrix");

export const FILE_REQUESTS: Record<string, Ask> = {
  "sendMessage with a file of home": withFile(homeFile),
  "sendMessage with a file of next": withFile(({ cast }) => cast.next.file),
  "sendMessage with a file of foreign": withFile(({ cast }) => cast.foreign.file),
  "sendMessage with a deleted file": withFile(deletedFile),

  "getFileInfo of home": inBody("file_id", homeFile),
  "getFileInfo of apart": inBody("file_id", ({ cast }) => cast.apart.file),
  "getFileInfo of foreign": inBody("file_id", ({ cast }) => cast.foreign.file),
  "getFileInfo deleted, of home": inBody("file_id", deletedFile),
  "listFolder of home": inBody("file_id", ({ cast }) => cast.home.root),
  "listFolder of foreign": inBody("file_id", ({ cast }) => cast.foreign.root),
  "findFiles in the team of home": ({ cast }) => ({
    body: { team_id: cast.home.team, limit: 200, end_date: new Date(cast.world.clock.now() + 1).toISOString() },
  }),
  "findFiles in the team of apart": ({ cast }) => ({ body: { team_id: cast.apart.team, limit: 200 } }),
  "makeFolder in home": ({ cast }) => ({ body: { name: newName(), parent_id: cast.home.root } }),
  "makeFolder in apart": ({ cast }) => ({ body: { name: newName(), parent_id: cast.apart.root } }),
  "getFolderUrl of home": inBody("file_id", ({ cast }) => cast.home.folder),
  "updateFolder of home": ({ cast }) => ({ body: { file_id: cast.home.folder, task_load_protection: false } }),
  "updateFolder one's own in home": inBody("file_id", folderBy),
  "renameFile another's in home": async (stage) => ({ body: { file_id: await fileBy(stage, stage.target), name: newName() } }),
  "renameFile one's own in home": async (stage, by) => ({ body: { file_id: await fileBy(stage, by), name: newName() } }),
  "renameFile of foreign": ({ cast }) => ({ body: { file_id: cast.foreign.file, name: newName() } }),
  "deleteFile another's in home": inBody("file_id", (stage) => fileBy(stage, stage.target)),
  "deleteFile one's own in home": inBody("file_id", (stage, by) => fileBy(stage, by)),
  "deleteFile one's folder, another's file": async (stage, by) => {
    const folder = await folderBy(stage, by);
    await fileBy(stage, stage.target, folder);
    return { body: { file_id: folder } };
  },
  "listFiles of home": inPath("project_id", ({ cast }) => cast.home.project),
  "listFiles of apart": inPath("project_id", ({ cast }) => cast.apart.project),
  "listFiles of home, a folder of next": ({ cast }) => ({ params: { project_id: cast.home.project }, query: { folder_id: cast.next.folder } }),
  "listFolders of home": inPath("project_id", ({ cast }) => cast.home.project),
  "listFolders of foreign": inPath("project_id", ({ cast }) => cast.foreign.project),
  "getFileFacets of home": inPath("project_id", ({ cast }) => cast.home.project),
  "getFileFacets of foreign": inPath("project_id", ({ cast }) => cast.foreign.project),
  "moveFiles another's in home": async (stage) => moveToRoot(stage, await fileBy(stage, stage.target)),
  "moveFiles one's own in home": async (stage, by) => moveToRoot(stage, await fileBy(stage, by)),
  "moveFiles one's folder, another's file": async (stage, by) => {
    const folder = await folderBy(stage, by);
    await fileBy(stage, stage.target, folder);
    return { body: { file_ids: [folder], parent_id: stage.cast.home.folder } };
  },
  "moveFiles of apart to home": (stage) => moveToRoot(stage, stage.cast.apart.file),
  "deleteFiles another's in home": async (stage) => ({ body: { file_ids: [await fileBy(stage, stage.target)] } }),
  "deleteFiles one's own in home": async (stage, by) => ({ body: { file_ids: [await fileBy(stage, by)] } }),
  "deleteFiles one's folder, another's file": async (stage, by) => {
    const folder = await folderBy(stage, by);
    await fileBy(stage, stage.target, folder);
    return { body: { file_ids: [folder] } };
  },
  "restoreFiles another's in home": async (stage) => ({ body: { file_ids: [await deleted(stage, await fileBy(stage, stage.target))] } }),
  "restoreFiles one's own in home": async (stage, by) => ({ body: { file_ids: [await deleted(stage, await fileBy(stage, by))] } }),
  "updateFile another's in home": async (stage) => ({ params: { file_id: await fileBy(stage, stage.target) }, body: { name: newName() } }),
  "updateFile one's own in home": async (stage, by) => ({ params: { file_id: await fileBy(stage, by) }, body: { removal_protection: true } }),
  "updateFile of foreign": ({ cast }) => ({ params: { file_id: cast.foreign.file }, body: { name: newName() } }),
  "getArchive of home": ({ cast }) => ({ query: { ids: `${cast.home.file}` } }),
  "getArchive of foreign": ({ cast }) => ({ query: { ids: `${cast.foreign.file}` } }),
  "getArchive deleted, of home": async (stage) => ({ query: { ids: `${await deletedFile(stage)}` } }),
  "uploadExternal to home": ({ cast }) => ({ body: { url: ELSEWHERE, parent_id: cast.home.folder } }),
  "uploadFile to home": ({ cast }) => ({ query: { parent_id: cast.home.folder, name: newName() }, bytes }),
  "uploadFile to apart": ({ cast }) => ({ query: { parent_id: cast.apart.folder, name: newName() }, bytes }),
  "uploadFile as a version in home": async (stage) => ({ query: { version_of: await fileBy(stage, stage.target) }, bytes }),
  "generateTags of home": inBody("file_id", idleFile),
  "retryProcessing of home": inPath("file_id", idleFile),
  "setFileStatus of home": async (stage) => ({ body: { file_id: stage.cast.home.file, status_id: await statusOf(stage, stage.cast.home.team) } }),
  "setFileStatus of one's own in home": async (stage, by) => ({
    body: { file_id: await fileBy(stage, by), status_id: await statusOf(stage, stage.cast.home.team) },
  }),
  "setFileStatus of foreign, status of home": async (stage) => ({
    body: { file_id: stage.cast.foreign.file, status_id: await statusOf(stage, stage.cast.home.team) },
  }),
  "statusHistory of home": inPath("file_id", homeFile),
  "listVersions of home": inPath("file_id", homeFile),
  "getPeaks of home": inPath("file_id", homeFile),
  "getPeaksLevel of home": ({ cast }) => ({ params: { file_id: cast.home.file, number: 1, level: 0 } }),
  "getContent of home": content(homeFile),
  "getContent of foreign": content(({ cast }) => cast.foreign.file),
  "getContent deleted, of home": content(deletedFile),
  "createSignedUrl of home": inPath("file_id", homeFile, {}),
  "createUpload to the chat of home": ({ cast }) => ({ headers: tusHeaders(5, { name: newName(), project_id: cast.home.project }) }),
  "createUpload to a folder of home": ({ cast }) => ({ headers: tusHeaders(5, { name: newName(), parent_id: cast.home.folder }) }),
  "createUpload as a version in home": ({ cast }) => ({ headers: tusHeaders(5, { version_of: cast.home.file }) }),
  "getUpload one's own": async (stage, by) => ({ params: { upload_id: await uploadOf(stage, by) } }),
  "getUpload of member": async (stage) => ({ params: { upload_id: await uploadOf(stage, stage.cast.member) } }),
};
