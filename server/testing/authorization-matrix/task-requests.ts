/** Requests for the matrix rows about tasks. */
import type { Person } from "../people.ts";
import { insertDeletedFile } from "./file-requests.ts";
import { inBody, inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

const LONG_AGO = 1;
const taskInput = { title: "matrix" };
let counter = 0;

/** Inserts a task of this author, by default on the file of `home`. */
async function insertTask({ fixtures: { testApp, home } }: Scenario, createdBy: number, assigneeId: number | null = null, fileId = home.file): Promise<number> {
  const values = { file_id: fileId, title: "matrix", assignee_id: assigneeId, due_at: null, position: 1, created_by: createdBy, created_at: LONG_AGO };
  return testApp.database.write(async (tx) => {
    // Rows run repeatedly, so earlier tasks are deleted to stay within the limit per file.
    await tx.deleteFrom("tasks").where("title", "=", "matrix").where("file_id", "=", fileId).execute();
    const { id } = await tx
      .insertInto("tasks")
      .values({ ...values, closed_at: null, closed_by: null })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}
const ownerTask = (scenario: Scenario) => insertTask(scenario, scenario.fixtures.owner.id);
const ownTask = (scenario: Scenario, actor: Person) => insertTask(scenario, actor.id);
const assignedTask = (scenario: Scenario, actor: Person) => insertTask(scenario, scenario.fixtures.owner.id, actor.id);
const foreignTask = (scenario: Scenario) => insertTask(scenario, scenario.fixtures.foreignOwner.id, null, scenario.fixtures.foreign.file);

async function insertTasksInAllProjects(scenario: Scenario): Promise<object> {
  const { fixtures } = scenario;
  for (const project of [fixtures.home, fixtures.next, fixtures.apart]) await insertTask(scenario, fixtures.owner.id, null, project.file);
  await foreignTask(scenario);
  return {};
}

const taskOfDeletedFile = async (scenario: Scenario): Promise<number> =>
  insertTask(scenario, scenario.fixtures.owner.id, null, await insertDeletedFile(scenario));

async function findOrInsertTemplate({ fixtures: { testApp } }: Scenario, team: number, name: string): Promise<number> {
  const existing = await testApp.database.read
    .selectFrom("task_templates")
    .select("id")
    .where("team_id", "=", team)
    .where("name", "=", name)
    .executeTakeFirst();
  if (existing) return existing.id;
  const values = { team_id: team, name, name_key: name, tasks: JSON.stringify([{ title: "matrix", due_days: null }]), created_by: null, created_at: LONG_AGO };
  return (await testApp.database.write((tx) => tx.insertInto("task_templates").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
/** Builds a request for a new template after deleting those of earlier rows, because of the limit per team. */
const createTemplateRequest =
  (team: (scenario: Scenario) => number): RequestBuilder =>
  async (scenario) => {
    await scenario.fixtures.testApp.database.write((tx) => tx.deleteFrom("task_templates").where("name", "like", "matrix%").execute());
    return { body: { team_id: team(scenario), name: `matrix ${++counter}`, tasks: [taskInput] } };
  };
const loadTemplateRequest =
  (team: (scenario: Scenario) => number): RequestBuilder =>
  async (scenario) => ({ body: { template_id: await findOrInsertTemplate(scenario, team(scenario), "kept"), file_id: scenario.fixtures.home.file } });

const homeTeamId = ({ fixtures }: Scenario) => fixtures.home.team;
const apartTeamId = ({ fixtures }: Scenario) => fixtures.apart.team;

/** Keyed by operation and row name. */
export const TASK_REQUESTS: Record<string, RequestBuilder> = {
  "listFolderTasks of home": inBody("file_id", ({ fixtures }) => fixtures.home.folder),
  "listFolderTasks of foreign": inBody("file_id", ({ fixtures }) => fixtures.foreign.folder),
  "listTasks all": async (scenario) => ({ ...(await insertTasksInAllProjects(scenario)), query: { limit: 200 } }),
  "listTasks of home": ({ fixtures }) => ({ query: { file_id: fixtures.home.file } }),
  "listTasks of the project home": async (scenario) => ({
    ...(await insertTasksInAllProjects(scenario)),
    query: { project_id: scenario.fixtures.home.project, limit: 200 },
  }),
  "getTask of home": inPath("task_id", ownerTask),
  "getTask of foreign": inPath("task_id", foreignTask),
  "getTask of a deleted file": inPath("task_id", taskOfDeletedFile),
  "createTasks on home": ({ fixtures }) => ({ body: { file_id: fixtures.home.file, tasks: [taskInput] } }),
  "createTasks on apart": ({ fixtures }) => ({ body: { file_id: fixtures.apart.file, tasks: [taskInput] } }),
  "createTasks for a person not in home": ({ fixtures }) => ({
    body: { file_id: fixtures.home.file, tasks: [{ ...taskInput, assignee_account_id: fixtures.neighbor.id }] },
  }),
  "createTasks for a foreign member": ({ fixtures }) => ({
    body: { file_id: fixtures.home.file, tasks: [{ ...taskInput, assignee_account_id: fixtures.foreignMember.id }] },
  }),
  "updateTask another's in home": inPath("task_id", ownerTask, { closed: true }),
  "updateTask one's own in home": inPath("task_id", ownTask, { title: "matrix", due_date: "2026-03-09" }),
  "updateTask closed by the assignee": inPath("task_id", assignedTask, { closed: true }),
  "updateTask edited by the assignee": inPath("task_id", assignedTask, { closed: true, assignee_account_id: null }),
  "updateTask of foreign": inPath("task_id", foreignTask, { due_date: null }),
  "deleteTask another's in home": inPath("task_id", ownerTask),
  "deleteTask one's own in home": inPath("task_id", ownTask),
  "deleteTask by the assignee": inPath("task_id", assignedTask),
  "getTaskTemplate of home": inBody("template_id", (scenario) => findOrInsertTemplate(scenario, homeTeamId(scenario), "kept")),
  "getTaskTemplate of apart": inBody("template_id", (scenario) => findOrInsertTemplate(scenario, apartTeamId(scenario), "kept")),
  "loadTasksFromTemplate of home, onto home": loadTemplateRequest(homeTeamId),
  "loadTasksFromTemplate of apart, onto home": loadTemplateRequest(apartTeamId),
  "listTaskTemplates of home": (scenario) => ({ query: { team_id: homeTeamId(scenario) } }),
  "listTaskTemplates of apart": (scenario) => ({ query: { team_id: apartTeamId(scenario) } }),
  "createTaskTemplate in home": createTemplateRequest(homeTeamId),
  "createTaskTemplate in apart": createTemplateRequest(apartTeamId),
  "deleteTaskTemplate of home": inPath("template_id", (scenario) => findOrInsertTemplate(scenario, homeTeamId(scenario), "matrix to delete")),
  "deleteTaskTemplate of foreign": inPath("template_id", (scenario) => findOrInsertTemplate(scenario, scenario.fixtures.foreign.team, "matrix to delete")),
};
