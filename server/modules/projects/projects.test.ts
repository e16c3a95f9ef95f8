/** Tests projects: concurrent creation, and the name of the root folder. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as projects from "../../../contract/operations/projects.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { joinTeam, type Person } from "../../testing/people.ts";

describe.each(ENGINES)("projects on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  let sequence = 0;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const createPerson = async (role: "owner" | "admin" | "member" = "member"): Promise<Person> =>
    joinTeam(fixtures.testApp, fixtures.owner, `person ${++sequence}`, { team: fixtures.home.team, role, projects: [fixtures.home.project] });

  test("simultaneously created projects do not deadlock", async () => {
    const creators = [fixtures.owner, await createPerson("owner"), await createPerson("owner"), fixtures.admin];
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        fixtures.testApp.call(creators[index % 4] as Caller, projects.createProject, { body: { name: `p${index}`, team_id: fixtures.home.team } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  });

  test("renaming a project renames its root folder", async () => {
    const { id, root_folder_id } = (await fixtures.testApp.call(fixtures.owner, projects.createProject, { body: { name: "Old", team_id: fixtures.home.team } }))
      .response.data;
    await fixtures.testApp.call(fixtures.owner, projects.updateProject, { params: { project_id: id }, body: { name: "New" } });
    expect((await fixtures.testApp.call(fixtures.owner, files.getFileInfo, { body: { file_id: root_folder_id ?? 0 } })).response.common.name).toBe("New");
  });
});
