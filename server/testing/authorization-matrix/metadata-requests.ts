/** Requests for the matrix rows about metadata. */
import { newTemplateName } from "../metadata.ts";
import { inPath, type RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

type FixtureName = "home" | "apart" | "foreign";

/** Inserts a template with a field, in place of those that the team has. */
async function insertTemplate(
  { fixtures }: Scenario,
  place: FixtureName,
  deleted: { template?: boolean; field?: boolean } = {},
): Promise<{ template_id: number; field_id: number }> {
  const { testApp, owner, foreignOwner } = fixtures;
  const now = testApp.clock.now();
  const name = newTemplateName();
  return testApp.database.write(async (tx) => {
    await tx.updateTable("metadata_templates").set({ deleted_at: now }).where("deleted_at", "is", null).execute();
    const template = await tx
      .insertInto("metadata_templates")
      .values({
        team_id: fixtures[place].team,
        name,
        name_key: name.toLowerCase(),
        kinds: null,
        position: 1,
        created_by: place === "foreign" ? foreignOwner.id : owner.id,
        created_at: now,
        deleted_at: deleted.template ? now : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const field = await tx
      .insertInto("metadata_fields")
      .values({ template_id: template.id, name: "Notes", name_key: "notes", type: "text", tag: null, position: 1, deleted_at: deleted.field ? now : null })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { template_id: template.id, field_id: field.id };
  });
}

const onTeam =
  (place: FixtureName, body?: () => object): RequestBuilder =>
  ({ fixtures }) => ({ params: { team_id: fixtures[place].team }, body: body?.() });
const onTemplate = (place: FixtureName, body?: object, isDeleted = false) =>
  inPath("template_id", async (scenario) => (await insertTemplate(scenario, place, { template: isDeleted })).template_id, body);
const onField = (place: FixtureName, body?: object, isDeleted = false) =>
  inPath("field_id", async (scenario) => (await insertTemplate(scenario, place, { field: isDeleted })).field_id, body);
const onFile =
  (place: FixtureName): RequestBuilder =>
  ({ fixtures }) => ({ params: { file_id: fixtures[place].file } });

const onFiles =
  (place: FixtureName): RequestBuilder =>
  ({ fixtures }) => ({ params: { project_id: fixtures[place].project }, query: { file_ids: String(fixtures[place].file) } });

/** Inserts a file that somebody added. */
async function insertFile({ fixtures: { testApp, home } }: Scenario, createdBy: number): Promise<number> {
  const name = newTemplateName();
  const values = {
    project_id: home.project,
    parent_id: home.folder,
    is_folder: 0 as const,
    created_by: createdBy,
    created_at: 1,
    changed_at: testApp.clock.now(),
    name,
    name_key: name.toLowerCase(),
  };
  return (await testApp.database.write((tx) => tx.insertInto("files").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
const changing =
  (isOwn: boolean, inBulk: boolean): RequestBuilder =>
  async (scenario, actor) => {
    const { field_id } = await insertTemplate(scenario, "home");
    const { home, owner, neighbor } = scenario.fixtures;
    const file_id = await insertFile(scenario, isOwn ? actor.id : actor.id === owner.id ? neighbor.id : owner.id);
    const values = { [field_id]: "matrix" };
    return inBulk ? { params: { project_id: home.project }, body: { changes: [{ file_ids: [file_id], values }] } } : { params: { file_id }, body: { values } };
  };
const importing =
  (isOwn: boolean): RequestBuilder =>
  async (scenario, actor) => {
    const { params, body } = (await changing(isOwn, true)(scenario, actor)) as {
      params: { project_id: number };
      body: { changes: [{ file_ids: number[]; values: object }] };
    };
    const [{ file_ids, values }] = body.changes;
    const { name } = await scenario.fixtures.testApp.database.read
      .selectFrom("metadata_fields")
      .select("name")
      .where("id", "=", Number(Object.keys(values)[0]))
      .executeTakeFirstOrThrow();
    return { params, bytes: Buffer.from(`File ID,${name}\n${file_ids[0]},matrix\n`) };
  };

/** Keyed by operation and row name. */
export const METADATA_REQUESTS: Record<string, RequestBuilder> = {
  "listMetadataTemplates of home": onTeam("home"),
  "listMetadataTemplates of foreign": onTeam("foreign"),
  "createMetadataTemplate in home": onTeam("home", () => ({ name: newTemplateName() })),
  "createMetadataTemplate in apart": onTeam("apart", () => ({ name: newTemplateName() })),
  "updateMetadataTemplate of home": onTemplate("home", { kinds: ["audio"] }),
  "updateMetadataTemplate of foreign": onTemplate("foreign", { kinds: ["audio"] }),
  "getMetadataTemplateUsage of home": onTemplate("home"),
  "getMetadataTemplateUsage of foreign": onTemplate("foreign"),
  "deleteMetadataTemplate of home": onTemplate("home"),
  "restoreMetadataTemplate of home": onTemplate("home", undefined, true),
  "createMetadataField in home": onTemplate("home", { name: "Mood", type: "text" }),
  "updateMetadataField of home": onField("home", { help: "matrix" }),
  "updateMetadataField of foreign": onField("foreign", { help: "matrix" }),
  "deleteMetadataField of home": onField("home"),
  "restoreMetadataField of home": onField("home", undefined, true),
  "getFileMetadata of home": onFile("home"),
  "getFileMetadata of foreign": onFile("foreign"),
  "getMetadataSuggestions of home": onFile("home"),
  "updateFileMetadata another's in home": changing(false, false),
  "updateFileMetadata one's own in home": changing(true, false),
  "updateFileMetadata of foreign": async (scenario) => ({
    params: { file_id: scenario.fixtures.foreign.file },
    body: { values: { [(await insertTemplate(scenario, "foreign")).field_id]: "matrix" } },
  }),
  "listFileMetadata of home": onFiles("home"),
  "listFileMetadata of foreign": onFiles("foreign"),
  "updateProjectMetadata another's in home": changing(false, true),
  "updateProjectMetadata one's own in home": changing(true, true),
  "exportMetadata of home": ({ fixtures }) => ({ params: { project_id: fixtures.home.project } }),
  "exportMetadata of foreign": ({ fixtures }) => ({ params: { project_id: fixtures.foreign.project } }),
  "importMetadata another's into home": importing(false),
  "importMetadata one's own into home": importing(true),
  "downloadWithMetadata of home, without values": onFile("home"),
  "getArchiveWithMetadata of home, without values": ({ fixtures }) => ({ query: { ids: `${fixtures.home.file}` } }),
  "getArchiveWithMetadata of foreign, without values": ({ fixtures }) => ({ query: { ids: `${fixtures.foreign.file}` } }),
};
