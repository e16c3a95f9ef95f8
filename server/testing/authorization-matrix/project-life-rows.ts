/** The matrix rows about deleting and restoring projects and about changing groups, in the format of `table.ts`, and their requests. */
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const PROJECT_LIFE_TABLE = `
deleteProject        another's in home's team       404 404 404 404 | 404 404 | 403 403 200 200
deleteProject        one's own in home's team       404 404 404 404 | 404 404 | 403 200 200 200
restoreProject       another's in home's team       404 404 404 404 | 404 404 | 403 403 200 200
restoreProject       one's own in home's team       404 404 404 404 | 404 404 | 403 200 200 200
restoreProject       deleted 30 days before         404 404 404 404 | 404 404 | 404 404 404 404
restoreProject       that is not deleted            404 404 404 404 | 404 404 | 404 404 404 404
listDeletedProjects  all                            200 200 200 403 | 200 403 | 403 200 200 200
updateGroup          home                           404 404 404 404 | 404 404 | 403 200 200 200
updateGroup          apart                          404 404 404 404 | 404 404 | 404 404 200 200
deleteGroup          another's with a project       404 404 404 404 | 404 404 | 403 403 204 204
deleteGroup          one's own                      404 404 404 404 | 204 403 | 403 204 204 204
`;

interface ProjectOptions {
  createdBy: number;
  groupId?: number;
  /** Milliseconds since its deletion. */
  deletedSince?: number;
}
let counter = 0;

/** Inserts a project of the same people as `home`. */
async function insertProject({ fixtures }: Scenario, { createdBy, groupId, deletedSince }: ProjectOptions): Promise<number> {
  const { testApp, home, guest, member } = fixtures;
  const now = testApp.clock.now();
  return testApp.database.write(async (tx) => {
    const deletion = deletedSince === undefined ? {} : { deleted_at: now - deletedSince, deleted_by: createdBy };
    const row = { team_id: home.team, group_id: groupId ?? null, name: "matrix", description: "", created_at: now, created_by: createdBy };
    const { id } = await tx
      .insertInto("projects")
      .values({ ...row, ...deletion })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("project_members")
      .values([guest, member].map((person) => ({ project_id: id, account_id: person.id, added_at: now })))
      .execute();
    return id;
  });
}

async function insertGroup({ fixtures: { testApp, home } }: Scenario, createdBy: number): Promise<number> {
  const name = `matrix life ${++counter}`;
  const values = { team_id: home.team, name, name_key: name, description: "", created_at: testApp.clock.now(), created_by: createdBy };
  return (await testApp.database.write((tx) => tx.insertInto("project_groups").values(values).returning("id").executeTakeFirstOrThrow())).id;
}

const DAY_MS = 86_400_000;
const ofOwner =
  (options: Omit<ProjectOptions, "createdBy"> = {}): RequestBuilder =>
  async (scenario) => ({ params: { project_id: await insertProject(scenario, { createdBy: scenario.fixtures.owner.id, ...options }) } });
const ofActor =
  (options: Omit<ProjectOptions, "createdBy"> = {}): RequestBuilder =>
  async (scenario, actor) => ({ params: { project_id: await insertProject(scenario, { createdBy: actor.id, ...options }) } });

export const PROJECT_LIFE_REQUESTS: Record<string, RequestBuilder> = {
  "deleteProject another's in home's team": ofOwner(),
  "deleteProject one's own in home's team": ofActor(),
  "restoreProject another's in home's team": ofOwner({ deletedSince: DAY_MS }),
  "restoreProject one's own in home's team": ofActor({ deletedSince: DAY_MS }),
  "restoreProject deleted 30 days before": ofActor({ deletedSince: 30 * DAY_MS }),
  "restoreProject that is not deleted": ofActor(),
  "listDeletedProjects all": () => ({}),
  "updateGroup home": ({ fixtures }) => ({ params: { group_id: fixtures.home.group }, body: { description: "matrix" } }),
  "updateGroup apart": ({ fixtures }) => ({ params: { group_id: fixtures.apart.group }, body: { description: "matrix" } }),
  "deleteGroup another's with a project": async (scenario) => {
    const createdBy = scenario.fixtures.owner.id;
    const group_id = await insertGroup(scenario, createdBy);
    await insertProject(scenario, { createdBy, groupId: group_id });
    return { params: { group_id } };
  },
  "deleteGroup one's own": async (scenario, actor) => {
    const group_id = await insertGroup(scenario, actor.id);
    await insertProject(scenario, { createdBy: actor.id, groupId: group_id });
    return { params: { group_id } };
  },
};
