/** How the rows about comments, statuses that a team changes and tags put right by hand are asked. */
import type { Person } from "../people.ts";
import type { Stage } from "./actors.ts";
import { inPath, type Ask } from "./ask.ts";

type Seen = "home" | "apart" | "foreign";
let drawn = 0;

/** A comment that this account seems to have written; put there past the service, whether or not it could have. */
async function commentBy({ cast }: Stage, accountId: number, place: Seen = "home", more: { deleted_at?: number; deleted_by?: number } = {}): Promise<number> {
  const values = {
    project_id: cast[place].project,
    file_id: cast[place].file,
    version: 1,
    position_ms: null,
    end_ms: null,
    parent_id: null,
    account_id: accountId,
    body: "matrix",
    client_id: null,
    request_hash: null,
    created_at: cast.world.clock.now(),
    ...more,
  };
  return cast.world.database.write(async (tx) => {
    // Rows are asked again and again; a file holds no more than it may.
    await tx.deleteFrom("comments").where("body", "=", "matrix").execute();
    return (await tx.insertInto("comments").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
}
const own = (stage: Stage, by: Person) => commentBy(stage, by.id);
const anothers = (stage: Stage) => commentBy(stage, stage.target.id);
const foreign = (stage: Stage) => commentBy(stage, stage.cast.foreignOwner.id, "foreign");
const apart = (stage: Stage) => commentBy(stage, stage.cast.owner.id, "apart");
const deleted = (stage: Stage, by: number, writer: number) => commentBy(stage, writer, "home", { deleted_at: stage.cast.world.clock.now(), deleted_by: by });
async function ofDeletedFile(stage: Stage): Promise<number> {
  const { world, home, owner } = stage.cast;
  const id = await commentBy(stage, owner.id);
  const name = `commented ${++drawn}`;
  const file = {
    project_id: home.project,
    parent_id: home.root,
    is_folder: 0 as const,
    name,
    name_key: name,
    created_by: owner.id,
    created_at: 1,
    deleted_at: 1,
  };
  await world.database.write(async (tx) => {
    const { id: file_id } = await tx.insertInto("files").values(file).returning("id").executeTakeFirstOrThrow();
    await tx.updateTable("comments").set({ file_id }).where("id", "=", id).execute();
  });
  return id;
}

/** A status that no file has; those of earlier rows go. */
async function statusOf({ cast }: Stage, place: Seen): Promise<number> {
  const { team } = cast[place];
  return cast.world.database.write(async (tx) => {
    await tx.updateTable("file_statuses").set({ deleted_at: 1 }).where("team_id", "=", team).where("title", "like", "Matrix%").execute();
    const title = `Matrix ${++drawn}`;
    const values = { team_id: team, title, title_key: title.toLowerCase(), color: 1, position: 100 };
    return (await tx.insertInto("file_statuses").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
}
const liveStatuses = async ({ cast }: Stage, place: Seen): Promise<number[]> =>
  (
    await cast.world.database.read
      .selectFrom("file_statuses")
      .select("id")
      .where("team_id", "=", cast[place].team)
      .where("deleted_at", "is", null)
      .orderBy("position")
      .execute()
  ).map(({ id }) => id);
const inTeam =
  (place: Seen, body: (stage: Stage) => object | Promise<object>): Ask =>
  async (stage) => ({ params: { team_id: stage.cast[place].team }, body: await body(stage) });
const newStatus =
  (place: Seen): Ask =>
  async (stage) => {
    await statusOf(stage, place);
    return { params: { team_id: stage.cast[place].team }, body: { title: `Matrix ${++drawn}`, color: 1 } };
  };
const status = (place: Seen, body?: object): Ask => inPath("status_id", (stage) => statusOf(stage, place), body);

const said = { body: "matrix" };
const changed = { body: "matrix, changed" };
const file = (place: Seen) => (stage: Stage) => stage.cast[place].file;
const comment = (pick: (stage: Stage, by: Person) => Promise<number>, body?: object): Ask => inPath("comment_id", pick, body);
/** No job of it is waiting. */
const idle: Ask = async ({ cast: { world, home } }) => {
  await world.database.write((tx) => tx.updateTable("jobs").set({ state: "done" }).execute());
  return { params: { file_id: home.file } };
};

export const REVIEW_REQUESTS: Record<string, Ask> = {
  "listComments of home": inPath("file_id", file("home")),
  "listComments of foreign": inPath("file_id", file("foreign")),
  "writeComment in home": async (stage) => {
    await commentBy(stage, stage.cast.owner.id);
    return { params: { file_id: stage.cast.home.file }, body: said };
  },
  "writeComment in apart": inPath("file_id", file("apart"), said),
  "writeComment reply to one of foreign": async (stage) => ({
    params: { file_id: stage.cast.home.file },
    body: { ...said, parent_comment_id: await foreign(stage) },
  }),
  "updateComment one's own in home": comment(own, changed),
  "updateComment another's in home": comment(anothers, changed),
  "updateComment another's, resolved": comment(anothers, { resolved: true }),
  "updateComment one's own, resolved": comment(own, { resolved: true }),
  "updateComment another's, both": comment(anothers, { ...changed, resolved: true }),
  "updateComment of foreign": comment(foreign, { resolved: true }),
  "deleteComment one's own in home": comment(own),
  "deleteComment another's in home": comment(anothers),
  "deleteComment of apart": comment(apart),
  "restoreComment what one deleted": comment((stage, by) => deleted(stage, by.id, by.id)),
  "restoreComment what another deleted": comment((stage, by) => deleted(stage, stage.target.id, by.id)),
  "restoreComment another's, deleted by them": comment((stage) => deleted(stage, stage.target.id, stage.target.id)),
  "markCommentsRead of home": inPath("file_id", file("home"), { last_comment_id: 1 }),
  "markCommentsRead of foreign": inPath("file_id", file("foreign"), { last_comment_id: 1 }),
  "showComment of home": comment(anothers),
  "showComment of foreign": comment(foreign),
  "showComment of a deleted file": comment(ofDeletedFile),

  "createFileStatus in home": newStatus("home"),
  "createFileStatus in apart": newStatus("apart"),
  "updateFileStatus of home": status("home", { color: 2 }),
  "updateFileStatus of foreign": status("foreign", { color: 2 }),
  "orderFileStatuses of home": inTeam("home", async (stage) => ({ ids: await liveStatuses(stage, "home") })),
  "orderFileStatuses of apart": inTeam("apart", async (stage) => ({ ids: await liveStatuses(stage, "apart") })),
  "deleteFileStatus of home": status("home"),
  "deleteFileStatus replaced by one of foreign": async (stage) => ({
    params: { status_id: await statusOf(stage, "home") },
    query: { replacement_id: await statusOf(stage, "foreign") },
  }),
  "getFileStatusUsage of home": status("home"),
  "getFileStatusUsage of foreign": status("foreign"),
  "setDefaultFileStatus of home": inTeam("home", () => ({ status_id: null })),
  "setDefaultFileStatus of foreign, in home": inTeam("home", async (stage) => ({ status_id: await statusOf(stage, "foreign") })),

  "correctTags of home": inPath("file_id", file("home"), { bpm: 120 }),
  "correctTags of foreign": inPath("file_id", file("foreign"), { bpm: 120 }),
  "regenerateTags of home": idle,
};
