/** Requests for the matrix rows about comments, status management and tag corrections. */
import type { Person } from "../people.ts";
import { fileWithoutPendingJobs, insertDeletedFile } from "./file-requests.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

type ProjectKey = "home" | "apart" | "foreign";
let counter = 0;

/** Inserts a comment of this account directly in the database, whether or not the account could have written it. */
async function insertComment(
  { fixtures }: Scenario,
  accountId: number,
  projectKey: ProjectKey = "home",
  overrides: { deleted_at?: number; deleted_by?: number } = {},
): Promise<number> {
  const values = {
    project_id: fixtures[projectKey].project,
    file_id: fixtures[projectKey].file,
    version: 1,
    position_ms: null,
    end_ms: null,
    parent_id: null,
    account_id: accountId,
    body: "matrix",
    client_id: null,
    request_hash: null,
    created_at: fixtures.testApp.clock.now(),
    ...overrides,
  };
  return fixtures.testApp.database.write(async (tx) => {
    // Rows run repeatedly, so earlier comments are deleted to stay within the limit per file.
    await tx.deleteFrom("comments").where("body", "=", "matrix").execute();
    return (await tx.insertInto("comments").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
}
const ownComment = (scenario: Scenario, actor: Person) => insertComment(scenario, actor.id);
const targetComment = (scenario: Scenario) => insertComment(scenario, scenario.target.id);
const foreignComment = (scenario: Scenario) => insertComment(scenario, scenario.fixtures.foreignOwner.id, "foreign");
const apartComment = (scenario: Scenario) => insertComment(scenario, scenario.fixtures.owner.id, "apart");
const deletedComment = (scenario: Scenario, deletedBy: number, authorId: number) =>
  insertComment(scenario, authorId, "home", { deleted_at: scenario.fixtures.testApp.clock.now(), deleted_by: deletedBy });
async function commentOnDeletedFile(scenario: Scenario): Promise<number> {
  const { testApp, owner } = scenario.fixtures;
  const [id, fileId] = [await insertComment(scenario, owner.id), await insertDeletedFile(scenario)];
  await testApp.database.write((tx) => tx.updateTable("comments").set({ file_id: fileId }).where("id", "=", id).execute());
  return id;
}

/** Inserts a status that no file uses, after deleting those of earlier rows. */
async function insertStatus({ fixtures }: Scenario, projectKey: ProjectKey): Promise<number> {
  const { team } = fixtures[projectKey];
  return fixtures.testApp.database.write(async (tx) => {
    await tx.updateTable("file_statuses").set({ deleted_at: 1 }).where("team_id", "=", team).where("title", "like", "Matrix%").execute();
    const title = `Matrix ${++counter}`;
    const values = { team_id: team, title, title_key: title.toLowerCase(), color: 1, position: 100 };
    return (await tx.insertInto("file_statuses").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
}
const activeStatusIds = async ({ fixtures }: Scenario, projectKey: ProjectKey): Promise<number[]> =>
  (
    await fixtures.testApp.database.read
      .selectFrom("file_statuses")
      .select("id")
      .where("team_id", "=", fixtures[projectKey].team)
      .where("deleted_at", "is", null)
      .orderBy("position")
      .execute()
  ).map(({ id }) => id);
const teamRequest =
  (projectKey: ProjectKey, body: (scenario: Scenario) => object | Promise<object>): RequestBuilder =>
  async (scenario) => ({ params: { team_id: scenario.fixtures[projectKey].team }, body: await body(scenario) });
const createStatusRequest =
  (projectKey: ProjectKey): RequestBuilder =>
  async (scenario) => {
    await insertStatus(scenario, projectKey);
    return { params: { team_id: scenario.fixtures[projectKey].team }, body: { title: `Matrix ${++counter}`, color: 1 } };
  };
const statusRequest = (projectKey: ProjectKey, body?: object): RequestBuilder => inPath("status_id", (scenario) => insertStatus(scenario, projectKey), body);

const commentBody = { body: "matrix" };
const changedBody = { body: "matrix, changed" };
const fileIdIn = (projectKey: ProjectKey) => (scenario: Scenario) => scenario.fixtures[projectKey].file;
const commentRequest = (selectId: (scenario: Scenario, actor: Person) => Promise<number>, body?: object): RequestBuilder =>
  inPath("comment_id", selectId, body);

export const REVIEW_REQUESTS: Record<string, RequestBuilder> = {
  "listComments of home": inPath("file_id", fileIdIn("home")),
  "listComments of foreign": inPath("file_id", fileIdIn("foreign")),
  "writeComment in home": async (scenario) => {
    await insertComment(scenario, scenario.fixtures.owner.id);
    return { params: { file_id: scenario.fixtures.home.file }, body: commentBody };
  },
  "writeComment in apart": inPath("file_id", fileIdIn("apart"), commentBody),
  "writeComment reply to one of foreign": async (scenario) => ({
    params: { file_id: scenario.fixtures.home.file },
    body: { ...commentBody, parent_comment_id: await foreignComment(scenario) },
  }),
  "updateComment one's own in home": commentRequest(ownComment, changedBody),
  "updateComment another's in home": commentRequest(targetComment, changedBody),
  "updateComment another's, resolved": commentRequest(targetComment, { resolved: true }),
  "updateComment one's own, resolved": commentRequest(ownComment, { resolved: true }),
  "updateComment another's, edit and resolve": commentRequest(targetComment, { ...changedBody, resolved: true }),
  "updateComment of foreign": commentRequest(foreignComment, { resolved: true }),
  "deleteComment one's own in home": commentRequest(ownComment),
  "deleteComment another's in home": commentRequest(targetComment),
  "deleteComment of apart": commentRequest(apartComment),
  "restoreComment own, deleted by oneself": commentRequest((scenario, actor) => deletedComment(scenario, actor.id, actor.id)),
  "restoreComment own, deleted by another": commentRequest((scenario, actor) => deletedComment(scenario, scenario.target.id, actor.id)),
  "restoreComment another's, deleted by oneself": commentRequest((scenario, actor) => deletedComment(scenario, actor.id, scenario.target.id)),
  "restoreComment another's, deleted by them": commentRequest((scenario) => deletedComment(scenario, scenario.target.id, scenario.target.id)),
  "markCommentsRead of home": inPath("file_id", fileIdIn("home"), { last_comment_id: 1 }),
  "markCommentsRead of foreign": inPath("file_id", fileIdIn("foreign"), { last_comment_id: 1 }),
  "showComment of home": commentRequest(targetComment),
  "showComment of foreign": commentRequest(foreignComment),
  "showComment of a deleted file": commentRequest(commentOnDeletedFile),

  "createFileStatus in home": createStatusRequest("home"),
  "createFileStatus in apart": createStatusRequest("apart"),
  "updateFileStatus of home": statusRequest("home", { color: 2 }),
  "updateFileStatus of foreign": statusRequest("foreign", { color: 2 }),
  "orderFileStatuses of home": teamRequest("home", async (scenario) => ({ ids: await activeStatusIds(scenario, "home") })),
  "orderFileStatuses of apart": teamRequest("apart", async (scenario) => ({ ids: await activeStatusIds(scenario, "apart") })),
  "deleteFileStatus of home": statusRequest("home"),
  "deleteFileStatus replaced by one of foreign": async (scenario) => ({
    params: { status_id: await insertStatus(scenario, "home") },
    query: { replacement_id: await insertStatus(scenario, "foreign") },
  }),
  "getFileStatusUsage of home": statusRequest("home"),
  "getFileStatusUsage of foreign": statusRequest("foreign"),
  "updateTeam of home": teamRequest("home", () => ({ new_version_resets_status: true })),
  "updateTeam of foreign": teamRequest("foreign", () => ({ new_version_resets_status: true })),
  "setDefaultFileStatus of home": teamRequest("home", () => ({ status_id: null })),
  "setDefaultFileStatus of foreign, in home": teamRequest("home", async (scenario) => ({ status_id: await insertStatus(scenario, "foreign") })),

  "correctTags of home": inPath("file_id", fileIdIn("home"), { bpm: 120 }),
  "correctTags of foreign": inPath("file_id", fileIdIn("foreign"), { bpm: 120 }),
  "regenerateTags of home": inPath("file_id", fileWithoutPendingJobs),
};
