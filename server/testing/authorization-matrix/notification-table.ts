/** Matrix rows about notifications, in the format of `table.ts`, and their requests. */
import { insertNotification } from "../notifications.ts";
import type { Person } from "../people.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const NOTIFICATION_TABLE = `
listNotifications    of all projects                200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
updateNotification   one's own                      200 200 200 200 | 200 200 | 200 200 200 200
updateNotification   one's own, in home             404 404 404 404 | 404 404 | 200 200 200 200
updateNotification   of member                      404 404 404 404 | 404 404 | 404 200 404 404
readNotifications    one's own                      200 200 200 200 | 200 200 | 200 200 200 200
getNotificationSettings one's own                   200 200 200 200 | 200 200 | 200 200 200 200
updateNotificationSettings one's own                200 200 200 200 | 200 200 | 200 200 200 200
listProjectNotificationSettings of all projects     200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
getProjectNotificationSettings of home              404 404 404 404 | 404 404 | 200 200 200 200
getProjectNotificationSettings of apart             404 404 404 404 | 404 404 | 404 404 200 200
updateProjectNotificationSettings of home           404 404 404 404 | 404 404 | 200 200 200 200
updateProjectNotificationSettings of foreign        200 200 200 200 | 404 404 | 404 404 404 404
getFileWatch         of home                        404 404 404 404 | 404 404 | 200 200 200 200
getFileWatch         of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
setFileWatch         of home                        404 404 404 404 | 404 404 | 200 200 200 200
setFileWatch         of apart                       404 404 404 404 | 404 404 | 404 404 200 200
`;

const projectsOf = ({ fixtures }: Scenario) => (["home", "next", "apart", "foreign"] as const).map((name) => fixtures[name].project);

/** Gives the person a notification in every project, whether or not they see it. */
async function insertInAllProjects(scenario: Scenario, { id }: Person): Promise<void> {
  for (const project_id of projectsOf(scenario)) await insertNotification(scenario.fixtures.testApp, id, { project_id });
}
async function muteAllProjects(scenario: Scenario, { id: account_id }: Person): Promise<void> {
  await scenario.fixtures.testApp.database.write(async (tx) => {
    for (const project_id of projectsOf(scenario))
      await tx
        .insertInto("project_notification_settings")
        .values({ account_id, project_id, muted: 1 })
        .onConflict((on) => on.doNothing())
        .execute();
  });
}

const ownInHome = ({ fixtures: { testApp, home } }: Scenario, { id }: Person) => insertNotification(testApp, id, { project_id: home.project });

/** Keyed by operation and row name. */
export const NOTIFICATION_REQUESTS: Record<string, RequestBuilder> = {
  "listNotifications of all projects": async (scenario, actor) => {
    await insertInAllProjects(scenario, actor);
    return { query: {} };
  },
  "updateNotification one's own": inPath(
    "notification_id",
    ({ fixtures: { testApp } }, { id }) => insertNotification(testApp, id, { project_id: null, kind: "invite_accepted" }),
    { read: true },
  ),
  "updateNotification one's own, in home": inPath("notification_id", ownInHome, { read: true }),
  "updateNotification of member": inPath("notification_id", (scenario) => ownInHome(scenario, scenario.fixtures.member), { read: true }),
  "readNotifications one's own": () => ({ body: {} }),
  "getNotificationSettings one's own": () => ({}),
  "updateNotificationSettings one's own": () => ({ body: { kinds: { mention: { push: false } } } }),
  "listProjectNotificationSettings of all projects": async (scenario, actor) => {
    await muteAllProjects(scenario, actor);
    return { query: {} };
  },
  "getProjectNotificationSettings of home": inPath("project_id", ({ fixtures }) => fixtures.home.project),
  "getProjectNotificationSettings of apart": inPath("project_id", ({ fixtures }) => fixtures.apart.project),
  "updateProjectNotificationSettings of home": inPath("project_id", ({ fixtures }) => fixtures.home.project, { muted: true }),
  "updateProjectNotificationSettings of foreign": inPath("project_id", ({ fixtures }) => fixtures.foreign.project, { muted: true }),
  "getFileWatch of home": inPath("file_id", ({ fixtures }) => fixtures.home.file),
  "getFileWatch of foreign": inPath("file_id", ({ fixtures }) => fixtures.foreign.file),
  "setFileWatch of home": inPath("file_id", ({ fixtures }) => fixtures.home.file, { watching: true }),
  "setFileWatch of apart": inPath("file_id", ({ fixtures }) => fixtures.apart.file, { watching: true }),
};
