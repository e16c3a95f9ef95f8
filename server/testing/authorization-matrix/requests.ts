/** Requests for each row of the matrix; data that a request consumes is recreated before it. */
import type { Tx } from "../../db/schema.ts";
import { hashSecret, newSecret } from "../../lib/crypto.ts";
import { issueToken } from "../../modules/accounts/api-tokens.ts";
import { insertDemo } from "../demo.ts";
import { authorizationParameters, createVerifier, insertApp, registerApp } from "../oauth.ts";
import { createSession, PASSWORD } from "../people.ts";
import { ACCOUNT_REQUESTS } from "./account-requests.ts";
import { DELIVERY_REQUESTS } from "./delivery-rows.ts";
import { FAVORITE_REQUESTS } from "./favorite-requests.ts";
import { FILE_REQUESTS } from "./file-requests.ts";
import { MESSAGE_REQUESTS } from "./message-requests.ts";
import { NOTIFICATION_REQUESTS } from "./notification-table.ts";
import { AGENT_ACTION_REQUESTS } from "./agent-action-rows.ts";
import { AGENT_REQUESTS } from "./agent-rows.ts";
import { AGENT_SUBSCRIPTION_REQUESTS } from "./agent-subscription-rows.ts";
import { AGENT_TASK_REQUESTS } from "./agent-task-rows.ts";
import { DELIVERY_RULES_REQUESTS } from "./delivery-rules-rows.ts";
import { KNOWLEDGE_REQUESTS } from "./knowledge-rows.ts";
import { METADATA_REQUESTS } from "./metadata-requests.ts";
import { PLAYLIST_REQUESTS } from "./playlist-requests.ts";
import { PROJECT_LIFE_REQUESTS } from "./project-life-rows.ts";
import { inBody, inPath, type RequestBuilder } from "./request-builder.ts";
import { REVIEW_REQUESTS } from "./review-requests.ts";
import type { Scenario } from "./scenario.ts";
import { SEARCH_REQUESTS } from "./search-requests.ts";
import { TASK_REQUESTS } from "./task-requests.ts";
import { WEBHOOK_REQUESTS } from "./webhook-requests.ts";

async function addToHomeProject({ fixtures: { testApp, home } }: Scenario, tx: Tx, accountIds: number[]): Promise<void> {
  const rows = accountIds.map((account_id) => ({ project_id: home.project, account_id, added_at: testApp.clock.now() }));
  await tx
    .insertInto("project_members")
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute();
}

/** Inserts a running demo in both organizations, so that a request returns its progress. */
async function insertDemosInBothOrganizations(
  { fixtures: { testApp, owner, foreignOwner } }: Scenario,
  state: "running" | "failed" = "running",
): Promise<Record<string, never>> {
  for (const { id } of [owner, foreignOwner]) await insertDemo(testApp, id, state);
  return {};
}

/** Reverts the changes of earlier rows: restores the members and folders of `home` and the target, and revokes all API tokens and grants except the owner's tokens. */
export async function resetScenario(scenario: Scenario): Promise<void> {
  const { testApp, home, guest, member, owner } = scenario.fixtures;
  const memberIds = [guest.id, member.id, owner.id, scenario.target.id];
  await testApp.database.write(async (tx) => {
    await addToHomeProject(scenario, tx, memberIds);
    const restored = { deleted_at: null, deleted_by: null, deleted_with: null };
    await tx.updateTable("files").set(restored).where("id", "in", [home.root, home.folder, home.file]).execute();
    await tx.updateTable("accounts").set({ role: "member", disabled_at: null }).where("id", "=", scenario.target.id).execute();
    await tx.deleteFrom("project_members").where("project_id", "=", home.project).where("account_id", "not in", memberIds).execute();
    await tx
      .updateTable("api_tokens")
      .set({ revoked_at: 1 })
      .where(({ or, eb }) => or([eb("account_id", "!=", owner.id), eb("client_id", "is not", null)]))
      .where("revoked_at", "is", null)
      .execute();
  });
}

/** Restores the target as an enabled member of the project. */
async function resetTarget(scenario: Scenario): Promise<number> {
  const { target, fixtures } = scenario;
  await fixtures.testApp.database.write(async (tx) => {
    await tx.updateTable("accounts").set({ role: "member", disabled_at: null }).where("id", "=", target.id).execute();
    await addToHomeProject(scenario, tx, [target.id]);
  });
  return target.id;
}

let groupCounter = 0;
const newGroupName = (): string => `matrix ${++groupCounter}`;

async function insertInvite({ fixtures: { testApp } }: Scenario, team: number, createdBy: number): Promise<number> {
  const { organisation_id } = await testApp.database.read.selectFrom("teams").select("organisation_id").where("id", "=", team).executeTakeFirstOrThrow();
  const now = testApp.clock.now();
  const values = {
    organisation_id,
    team_id: team,
    role: "member",
    project_ids: "[]",
    email: null,
    token_hash: hashSecret(newSecret()),
    created_by: createdBy,
    created_at: now,
    expires_at: now + 1_000_000,
  } as const;
  return (await testApp.database.write((tx) => tx.insertInto("invites").values(values).returning("id").executeTakeFirstOrThrow())).id;
}

const insertPasswordReset = async ({ fixtures: { testApp } }: Scenario, accountId: number, createdBy: number): Promise<number> => {
  const now = testApp.clock.now();
  const values = {
    account_id: accountId,
    token_hash: hashSecret(newSecret()),
    created_by: createdBy,
    created_session_id: null,
    created_at: now,
    expires_at: now + 1_000_000,
  };
  return (await testApp.database.write((tx) => tx.insertInto("password_resets").values(values).returning("id").executeTakeFirstOrThrow())).id;
};
const insertHomeReset = (scenario: Scenario) => insertPasswordReset(scenario, scenario.target.id, scenario.fixtures.owner.id);
const insertForeignReset = (scenario: Scenario) => insertPasswordReset(scenario, scenario.fixtures.foreignMember.id, scenario.fixtures.foreignOwner.id);

const insertToken = async ({ fixtures: { testApp } }: Scenario, accountId: number): Promise<number> =>
  (await testApp.database.write((tx) => issueToken(tx, testApp.clock.now(), accountId, { name: "test", scopes: ["chat:read"], expiresAt: null }))).row.id;

/** Keyed by operation and row name. */
export const REQUESTS: Record<string, RequestBuilder> = {
  ...MESSAGE_REQUESTS,
  ...FILE_REQUESTS,
  ...REVIEW_REQUESTS,
  ...TASK_REQUESTS,
  ...NOTIFICATION_REQUESTS,
  ...METADATA_REQUESTS,
  ...PLAYLIST_REQUESTS,
  ...FAVORITE_REQUESTS,
  ...SEARCH_REQUESTS,
  ...KNOWLEDGE_REQUESTS,
  ...DELIVERY_RULES_REQUESTS,
  ...PROJECT_LIFE_REQUESTS,
  ...AGENT_REQUESTS,
  ...AGENT_TASK_REQUESTS,
  ...AGENT_ACTION_REQUESTS,
  ...AGENT_SUBSCRIPTION_REQUESTS,
  ...WEBHOOK_REQUESTS,
  "getDemo running": (scenario) => insertDemosInBothOrganizations(scenario),
  "createDemo running": (scenario) => insertDemosInBothOrganizations(scenario),
  "removeDemo failed": (scenario) => insertDemosInBothOrganizations(scenario, "failed"),
  "chatHistory of home": inBody("project_id", ({ fixtures }) => fixtures.home.project),
  "chatHistory of foreign": inBody("project_id", ({ fixtures }) => fixtures.foreign.project),
  "sendMessage to home": ({ fixtures }) => ({ body: { project_id: fixtures.home.project, body: "matrix" } }),
  "sendMessage reply across projects": ({ fixtures }) => ({
    body: { project_id: fixtures.home.project, body: "matrix", parent_message_id: fixtures.next.message },
  }),
  "sendMessage reply across organizations": ({ fixtures }) => ({
    body: { project_id: fixtures.home.project, body: "matrix", parent_message_id: fixtures.foreign.message },
  }),
  "getReadMarker of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "moveReadMarker of home": ({ fixtures }) => ({ params: { project_id: fixtures.home.project }, body: { message_id: fixtures.home.message } }),

  "createProjectV2 in home": ({ fixtures }) => ({ body: { name: "matrix", team_id: fixtures.home.team } }),
  "createProjectV2 in apart": ({ fixtures }) => ({ body: { name: "matrix", team_id: fixtures.apart.team } }),
  "getProjectV2 home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "getProjectV2 apart": inPath("project_id", ({ fixtures }) => fixtures.apart.project),
  "createMessage to home": inPath("project_id", ({ fixtures }) => fixtures.home.project, { body: "matrix" }),
  "createMessage to foreign": inPath("project_id", ({ fixtures }) => fixtures.foreign.project, { body: "matrix" }),
  "getMessage of home": ({ fixtures: { home } }) => ({ params: { project_id: home.project, message_id: home.message } }),
  "getMessage of foreign, through home": ({ fixtures: { home, foreign } }) => ({ params: { project_id: home.project, message_id: foreign.message } }),
  "createTask on home": ({ fixtures }) => ({ body: { file_id: fixtures.home.file, title: "matrix" } }),
  "createTask on the project apart": ({ fixtures }) => ({ body: { project_id: fixtures.apart.project, title: "matrix" } }),
  "listGroupsV2 all": () => ({ query: { limit: 200 } }),
  "listGroupsV2 of apart": ({ fixtures }) => ({ query: { team_id: fixtures.apart.team, limit: 200 } }),
  "getGroupV2 home": inPath("group_id", ({ fixtures }) => fixtures.home.group),
  "getGroupV2 apart": inPath("group_id", ({ fixtures }) => fixtures.apart.group),
  "createGroupV2 in home": ({ fixtures }) => ({ body: { name: newGroupName(), team_id: fixtures.home.team } }),
  "createGroupV2 in apart": ({ fixtures }) => ({ body: { name: newGroupName(), team_id: fixtures.apart.team } }),
  "listTeamsV2 all": () => ({}),
  "getTeam home": inPath("team_id", ({ fixtures }) => fixtures.home.team),
  "getTeam apart": inPath("team_id", ({ fixtures }) => fixtures.apart.team),

  "getProject home": inBody("project_id", ({ fixtures }) => fixtures.home.project),
  "getProject apart": inBody("project_id", ({ fixtures }) => fixtures.apart.project),
  "getProject foreign": inBody("project_id", ({ fixtures }) => fixtures.foreign.project),
  "listProjects all": () => ({ query: { limit: 200 } }),
  "listProjectsByGroup of home": inBody("group_id", ({ fixtures }) => fixtures.home.group),
  "listProjectsByGroup of apart": inBody("group_id", ({ fixtures }) => fixtures.apart.group),
  "listProjectsWithoutGroup of home": inBody("team_id", ({ fixtures }) => fixtures.home.team),
  "listProjectsWithoutGroup of apart": inBody("team_id", ({ fixtures }) => fixtures.apart.team),
  "createProject in home": ({ fixtures }) => ({ body: { name: newGroupName(), team_id: fixtures.home.team } }),
  "createProject in apart": ({ fixtures }) => ({ body: { name: "matrix", team_id: fixtures.apart.team } }),
  "createProject group of another team": ({ fixtures }) => ({ body: { name: "matrix", team_id: fixtures.home.team, group_id: fixtures.apart.group } }),
  "createProject group of foreign": ({ fixtures }) => ({ body: { name: "matrix", team_id: fixtures.home.team, group_id: fixtures.foreign.group } }),
  "updateProject home": inPath("project_id", ({ fixtures }) => fixtures.home.project, { description: "matrix" }),
  "updateProject into a group of another team": ({ fixtures }) => ({ params: { project_id: fixtures.home.project }, body: { group_id: fixtures.apart.group } }),
  "updateProject into a group of foreign": ({ fixtures }) => ({ params: { project_id: fixtures.home.project }, body: { group_id: fixtures.foreign.group } }),
  "listProjectMembers of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "addProjectMember to home": async (scenario) => ({
    params: { project_id: scenario.fixtures.home.project },
    body: { account_id: await resetTarget(scenario) },
  }),
  "addProjectMember of foreign, to home": ({ fixtures }) => ({
    params: { project_id: fixtures.home.project },
    body: { account_id: fixtures.foreignMember.id },
  }),
  "removeProjectMember another from home": async (scenario) => ({
    params: { project_id: scenario.fixtures.home.project, account_id: await resetTarget(scenario) },
  }),
  "removeProjectMember oneself from home": async (scenario, actor) => {
    const { testApp, home, guest, member, admin, owner } = scenario.fixtures;
    if ([guest, member, admin, owner].some(({ id }) => id === actor.id)) await testApp.database.write((tx) => addToHomeProject(scenario, tx, [actor.id]));
    return { params: { project_id: home.project, account_id: actor.id } };
  },
  "removeProjectMember of foreign, from home": ({ fixtures }) => ({ params: { project_id: fixtures.home.project, account_id: fixtures.foreignMember.id } }),

  "listTeams all": () => ({}),
  "listFileStatuses of home": inBody("team_id", ({ fixtures }) => fixtures.home.team),
  "listFileStatuses of apart": inBody("team_id", ({ fixtures }) => fixtures.apart.team),
  "listGroups of home": inBody("team_id", ({ fixtures }) => fixtures.home.team),
  "listGroups of apart": inBody("team_id", ({ fixtures }) => fixtures.apart.team),
  "getGroup home": inBody("group_id", ({ fixtures }) => fixtures.home.group),
  "getGroup apart": inBody("group_id", ({ fixtures }) => fixtures.apart.group),
  "createGroup in home": ({ fixtures }) => ({ body: { name: newGroupName(), team_id: fixtures.home.team } }),
  "createGroup in apart": ({ fixtures }) => ({ body: { name: newGroupName(), team_id: fixtures.apart.team } }),
  "inviteMember to home": ({ fixtures }) => ({ body: { team_id: fixtures.home.team, role: "member" } }),
  "inviteMember as owner": ({ fixtures }) => ({ body: { team_id: fixtures.home.team, role: "owner" } }),
  "inviteMember to a project of foreign": ({ fixtures }) => ({
    body: { team_id: fixtures.home.team, role: "member", project_ids: [fixtures.foreign.project] },
  }),
  "inviteMember to a project of another team": ({ fixtures }) => ({
    body: { team_id: fixtures.home.team, role: "member", project_ids: [fixtures.apart.project] },
  }),
  "listInvites all": () => ({}),
  "revokeInvite of home": inPath("invite_id", (scenario) => insertInvite(scenario, scenario.fixtures.home.team, scenario.fixtures.owner.id)),
  "revokeInvite of foreign": inPath("invite_id", (scenario) => insertInvite(scenario, scenario.fixtures.foreign.team, scenario.fixtures.foreignOwner.id)),

  "getAccount oneself": () => ({ body: {} }),
  "getAccount member": inBody("account_id", ({ fixtures }) => fixtures.member.id),
  "getAccount owner": inBody("account_id", ({ fixtures }) => fixtures.owner.id),
  "getAccount foreign member": inBody("account_id", ({ fixtures }) => fixtures.foreignMember.id),
  "listMembers all": () => ({ query: { limit: 200 } }),
  ...ACCOUNT_REQUESTS,
  ...DELIVERY_REQUESTS,
  "updateAccount oneself": () => ({ body: { user_info: "matrix" } }),
  "changePassword oneself": () => ({ body: { current_password: PASSWORD, new_password: PASSWORD } }),
  "updateMember target": inPath("account_id", resetTarget, { disabled: false }),
  "updateMember make target owner": inPath("account_id", resetTarget, { role: "owner" }),
  "updateMember owner": inPath("account_id", ({ fixtures }) => fixtures.owner.id, { disabled: false }),
  "transferOwnership target": inPath("account_id", resetTarget, { password: PASSWORD }),
  "updateOrganisation own": () => ({ body: { name: "Northwind" } }),
  "updateMember foreign member": inPath("account_id", ({ fixtures }) => fixtures.foreignMember.id, { disabled: false }),
  "createPasswordReset target": inPath("account_id", resetTarget),
  "createPasswordReset owner": inPath("account_id", ({ fixtures }) => fixtures.owner.id),
  "createPasswordReset foreign member": inPath("account_id", ({ fixtures }) => fixtures.foreignMember.id),
  "listPasswordResets all": async (scenario) => {
    await insertHomeReset(scenario);
    await insertForeignReset(scenario);
    return {};
  },
  "revokePasswordReset of home": inPath("reset_id", insertHomeReset),
  "revokePasswordReset of foreign": inPath("reset_id", insertForeignReset),

  "listTokens one's own": async (scenario) => {
    await insertToken(scenario, scenario.fixtures.member.id);
    await insertToken(scenario, scenario.fixtures.foreignOwner.id);
    return {};
  },
  "listAuditEntries all": () => ({ query: { limit: "200" } }),
  "createToken one's own": () => ({ body: { name: "matrix", scopes: ["chat:read"] } }),
  "revokeToken one's own": inPath("token_id", (scenario, actor) => insertToken(scenario, actor.id)),
  "revokeToken of member": inPath("token_id", (scenario) => insertToken(scenario, scenario.fixtures.member.id)),
  "getConsent one's own": async ({ fixtures: { testApp } }) => ({ query: authorizationParameters(await registerApp(testApp), createVerifier()) }),
  "listGrants one's own": async (scenario) => {
    for (const { id } of [scenario.fixtures.member, scenario.fixtures.foreignOwner]) await insertApp(scenario.fixtures.testApp, id, ["chat:read"]);
    return {};
  },
  "revokeGrant one's own": inPath("grant_id", async ({ fixtures }, actor) => (await insertApp(fixtures.testApp, actor.id, ["chat:read"])).grantId),
  "revokeGrant of member": inPath("grant_id", async ({ fixtures }) => (await insertApp(fixtures.testApp, fixtures.member.id, ["chat:read"])).grantId),
  "getSession one's own": () => ({}),
  "listSessions one's own": () => ({}),
  "endSession one's own": inPath("session_id", async ({ fixtures }, actor) => (await createSession(fixtures.testApp, actor.id, "other browser")).id),
  "endSession of member": inPath("session_id", async ({ fixtures }) => (await createSession(fixtures.testApp, fixtures.member.id, "other browser")).id),
  "signOut of this session": () => ({}),
  "endAllSessions one's own": () => ({}),
  "liveTicket one's own": () => ({}),
};
