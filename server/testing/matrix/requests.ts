/** How each row of the table is asked; what a request uses up is made anew before it. */
import { issueToken } from "../../domain/accounts/tokens.ts";
import type { Tx } from "../../db/schema.ts";
import { hashSecret, newSecret } from "../../lib/secrets.ts";
import { demoUnderWay } from "../demo.ts";
import { freshSession, PASSWORD } from "../people.ts";
import type { Stage } from "./actors.ts";
import { inBody, inPath, type Ask } from "./ask.ts";
import { FILE_REQUESTS } from "./file-requests.ts";
import { MESSAGE_REQUESTS } from "./message-requests.ts";
import { REVIEW_REQUESTS } from "./review-requests.ts";
import { TASK_REQUESTS } from "./task-requests.ts";
import { WEBHOOK_REQUESTS } from "./webhook-requests.ts";

async function putIntoHome({ cast: { world, home } }: Stage, tx: Tx, accountIds: number[]): Promise<void> {
  const rows = accountIds.map((account_id) => ({ project_id: home.project, account_id, added_at: world.clock.now() }));
  await tx
    .insertInto("project_members")
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute();
}

/** What is asked for is answered with how far it is. */
async function demoOnBothSides({ cast: { world, owner, foreignOwner } }: Stage): Promise<Record<string, never>> {
  for (const { id } of [owner, foreignOwner]) await demoUnderWay(world, id);
  return {};
}

/** What earlier rows have changed is put back: who is in `home`, and that nobody but the owner holds tokens. */
export async function restage(stage: Stage): Promise<void> {
  const { world, home, guest, member, owner } = stage.cast;
  const inside = [guest.id, member.id, owner.id, stage.target.id];
  await world.database.write(async (tx) => {
    await putIntoHome(stage, tx, inside);
    await tx.updateTable("accounts").set({ role: "member", disabled_at: null }).where("id", "=", stage.target.id).execute();
    await tx.deleteFrom("project_members").where("project_id", "=", home.project).where("account_id", "not in", inside).execute();
    await tx.updateTable("api_tokens").set({ revoked_at: 1 }).where("account_id", "!=", owner.id).where("revoked_at", "is", null).execute();
  });
}

/** The target as it was: a member, in the project. */
async function resetTarget(stage: Stage): Promise<number> {
  const { target, cast } = stage;
  await cast.world.database.write(async (tx) => {
    await tx.updateTable("accounts").set({ role: "member", disabled_at: null }).where("id", "=", target.id).execute();
    await putIntoHome(stage, tx, [target.id]);
  });
  return target.id;
}

async function newInvite({ cast: { world } }: Stage, team: number, by: number): Promise<number> {
  const { organisation_id } = await world.database.read.selectFrom("teams").select("organisation_id").where("id", "=", team).executeTakeFirstOrThrow();
  const now = world.clock.now();
  const values = {
    organisation_id,
    team_id: team,
    role: "member",
    project_ids: "[]",
    email: null,
    token_hash: hashSecret(newSecret()),
    created_by: by,
    created_at: now,
    expires_at: now + 1_000_000,
  } as const;
  return (await world.database.write((tx) => tx.insertInto("invites").values(values).returning("id").executeTakeFirstOrThrow())).id;
}

const newToken = async ({ cast: { world } }: Stage, accountId: number): Promise<number> =>
  (await world.database.write((tx) => issueToken(tx, world.clock.now(), accountId, { name: "test", scopes: ["chat:read"], expiresAt: null }))).row.id;

/** By operation and row name. */
export const REQUESTS: Record<string, Ask> = {
  ...MESSAGE_REQUESTS,
  ...FILE_REQUESTS,
  ...REVIEW_REQUESTS,
  ...TASK_REQUESTS,
  ...WEBHOOK_REQUESTS,
  "getDemo under way": demoOnBothSides,
  "makeDemo under way": demoOnBothSides,
  "chatHistory of home": inBody("project_id", ({ cast }) => cast.home.project),
  "chatHistory of foreign": inBody("project_id", ({ cast }) => cast.foreign.project),
  "sendMessage to home": ({ cast }) => ({ body: { project_id: cast.home.project, body: "matrix" } }),
  "sendMessage reply across projects": ({ cast }) => ({ body: { project_id: cast.home.project, body: "matrix", parent_message_id: cast.next.message } }),
  "sendMessage reply across organisations": ({ cast }) => ({
    body: { project_id: cast.home.project, body: "matrix", parent_message_id: cast.foreign.message },
  }),
  "getReadMarker of home": inPath("project_id", ({ cast }) => cast.home.project),
  "moveReadMarker of home": ({ cast }) => ({ params: { project_id: cast.home.project }, body: { message_id: cast.home.message } }),

  "getProject home": inBody("project_id", ({ cast }) => cast.home.project),
  "getProject apart": inBody("project_id", ({ cast }) => cast.apart.project),
  "getProject foreign": inBody("project_id", ({ cast }) => cast.foreign.project),
  "listProjects all": () => ({ query: { limit: 200 } }),
  "projectsByGroup of home": inBody("group_id", ({ cast }) => cast.home.group),
  "projectsByGroup of apart": inBody("group_id", ({ cast }) => cast.apart.group),
  "projectsWithoutGroup of home": inBody("team_id", ({ cast }) => cast.home.team),
  "projectsWithoutGroup of apart": inBody("team_id", ({ cast }) => cast.apart.team),
  "createProject in home": ({ cast }) => ({ body: { name: "matrix", team_id: cast.home.team } }),
  "createProject in apart": ({ cast }) => ({ body: { name: "matrix", team_id: cast.apart.team } }),
  "createProject group of another team": ({ cast }) => ({ body: { name: "matrix", team_id: cast.home.team, group_id: cast.apart.group } }),
  "createProject group of foreign": ({ cast }) => ({ body: { name: "matrix", team_id: cast.home.team, group_id: cast.foreign.group } }),
  "updateProject home": inPath("project_id", ({ cast }) => cast.home.project, { description: "matrix" }),
  "updateProject into a group of another team": ({ cast }) => ({ params: { project_id: cast.home.project }, body: { group_id: cast.apart.group } }),
  "updateProject into a group of foreign": ({ cast }) => ({ params: { project_id: cast.home.project }, body: { group_id: cast.foreign.group } }),
  "listProjectMembers of home": inPath("project_id", ({ cast }) => cast.home.project),
  "addProjectMember to home": async (stage) => ({ params: { project_id: stage.cast.home.project }, body: { account_id: await resetTarget(stage) } }),
  "addProjectMember of foreign, to home": ({ cast }) => ({ params: { project_id: cast.home.project }, body: { account_id: cast.foreignMember.id } }),
  "removeProjectMember another from home": async (stage) => ({ params: { project_id: stage.cast.home.project, account_id: await resetTarget(stage) } }),
  "removeProjectMember oneself from home": async (stage, by) => {
    const { world, home, guest, member, admin, owner } = stage.cast;
    if ([guest, member, admin, owner].some(({ id }) => id === by.id)) await world.database.write((tx) => putIntoHome(stage, tx, [by.id]));
    return { params: { project_id: home.project, account_id: by.id } };
  },
  "removeProjectMember of foreign, from home": ({ cast }) => ({ params: { project_id: cast.home.project, account_id: cast.foreignMember.id } }),

  "listTeams all": () => ({}),
  "listFileStatuses of home": inBody("team_id", ({ cast }) => cast.home.team),
  "listFileStatuses of apart": inBody("team_id", ({ cast }) => cast.apart.team),
  "listGroups of home": inBody("team_id", ({ cast }) => cast.home.team),
  "listGroups of apart": inBody("team_id", ({ cast }) => cast.apart.team),
  "getGroup home": inBody("group_id", ({ cast }) => cast.home.group),
  "getGroup apart": inBody("group_id", ({ cast }) => cast.apart.group),
  "createGroup in home": ({ cast }) => ({ body: { name: "matrix", team_id: cast.home.team } }),
  "createGroup in apart": ({ cast }) => ({ body: { name: "matrix", team_id: cast.apart.team } }),
  "inviteMember to home": ({ cast }) => ({ body: { team_id: cast.home.team, role: "member" } }),
  "inviteMember as owner": ({ cast }) => ({ body: { team_id: cast.home.team, role: "owner" } }),
  "inviteMember to a project of foreign": ({ cast }) => ({ body: { team_id: cast.home.team, role: "member", project_ids: [cast.foreign.project] } }),
  "inviteMember to a project of another team": ({ cast }) => ({ body: { team_id: cast.home.team, role: "member", project_ids: [cast.apart.project] } }),
  "listInvites all": () => ({}),
  "revokeInvite of home": inPath("invite_id", (stage) => newInvite(stage, stage.cast.home.team, stage.cast.owner.id)),
  "revokeInvite of foreign": inPath("invite_id", (stage) => newInvite(stage, stage.cast.foreign.team, stage.cast.foreignOwner.id)),

  "getAccount oneself": () => ({ body: {} }),
  "getAccount member": inBody("account_id", ({ cast }) => cast.member.id),
  "getAccount owner": inBody("account_id", ({ cast }) => cast.owner.id),
  "getAccount foreign member": inBody("account_id", ({ cast }) => cast.foreignMember.id),
  "listMembers all": () => ({ query: { limit: 200 } }),
  "updateAccount oneself": () => ({ body: { user_info: "matrix" } }),
  "changePassword oneself": () => ({ body: { current_password: PASSWORD, new_password: PASSWORD } }),
  "updateMember target": inPath("account_id", resetTarget, { disabled: false }),
  "updateMember make target owner": inPath("account_id", resetTarget, { role: "owner" }),
  "updateMember owner": inPath("account_id", ({ cast }) => cast.owner.id, { disabled: false }),
  "updateMember foreign member": inPath("account_id", ({ cast }) => cast.foreignMember.id, { disabled: false }),
  "createPasswordReset target": inPath("account_id", resetTarget),
  "createPasswordReset owner": inPath("account_id", ({ cast }) => cast.owner.id),
  "createPasswordReset foreign member": inPath("account_id", ({ cast }) => cast.foreignMember.id),

  "listTokens one's own": async (stage) => {
    await newToken(stage, stage.cast.member.id);
    await newToken(stage, stage.cast.foreignOwner.id);
    return {};
  },
  "createToken one's own": () => ({ body: { name: "matrix", scopes: ["chat:read"] } }),
  "revokeToken one's own": inPath("token_id", (stage, by) => newToken(stage, by.id)),
  "revokeToken of member": inPath("token_id", (stage) => newToken(stage, stage.cast.member.id)),
  "getSession one's own": () => ({}),
  "listSessions one's own": () => ({}),
  "endSession one's own": inPath("session_id", async ({ cast }, by) => (await freshSession(cast.world, by.id, "other browser")).id),
  "endSession of member": inPath("session_id", async ({ cast }) => (await freshSession(cast.world, cast.member.id, "other browser")).id),
  "signOut here": () => ({}),
  "endAllSessions one's own": () => ({}),
  "liveTicket one's own": () => ({}),
};
