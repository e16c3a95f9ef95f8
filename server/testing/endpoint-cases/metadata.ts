import { expect } from "vitest";
import * as operations from "../../../contract/operations/metadata.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Fixtures } from "../fixtures.ts";
import { createMetadataTemplate as createTemplate, deleteMetadataTemplates, fieldOf, newTemplateName } from "../metadata.ts";
import { BAD_PAGE_IN_QUERY } from "./agent-task-helpers.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, badText, type EndpointCase } from "./case.ts";

const owner: EndpointCase["caller"] = (fixtures) => fixtures.owner;
const fresh = async (fixtures: Fixtures) => {
  await deleteMetadataTemplates(fixtures);
  return createTemplate(fixtures);
};
const foreign = (fixtures: Fixtures) => createTemplate(fixtures, fixtures.foreignOwner, fixtures.foreign.team);
const inaccessibleTeams = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a team of another organization", ({ foreign: { team } }) => ({ params: { team_id: team }, body }), 404],
  ["a team that does not exist", () => ({ params: { team_id: 999_999 }, body }), 404],
];
const inaccessibleTemplates = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a template of another organization", async (fixtures) => ({ params: { template_id: (await foreign(fixtures)).id }, body }), 404],
  ["a template that does not exist", () => ({ params: { template_id: 999_999 }, body }), 404],
];
const inaccessibleFields = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a field of another organization", async (fixtures) => ({ params: { field_id: fieldOf(await foreign(fixtures), "Notes").id }, body }), 404],
  ["a field that does not exist", () => ({ params: { field_id: 999_999 }, body }), 404],
];
const inaccessibleFiles = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a file of another organization", ({ foreign: { file } }) => ({ params: { file_id: file }, body }), 404],
  ["a file that does not exist", () => ({ params: { file_id: 999_999 }, body }), 404],
];
const BAD_KINDS = [[], ["folder"], "audio", [1], ["audio", "video", "image", "document", "audio"]];
const BAD_TAGS = ["", "a=b", "é", "x".repeat(61), 5];
const BAD_VALUES = [null, [], { x: "text" }, { "0": "text" }, { "1": {} }, { "1": [1] }];

export const listMetadataTemplates: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    await fresh(fixtures);
    return { params: { team_id: fixtures.home.team } };
  },
  assertResponse: ({ response }) => expect(response.data[0].fields.map(({ type }: { type: string }) => type)).toContain("isrc"),
  invalid: { "params.team_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTeams(),
  edgeCases: {},
};
export const createMetadataTemplate: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => {
    await deleteMetadataTemplates(fixtures);
    return { params: { team_id: fixtures.home.team }, body: { name: newTemplateName(), kinds: ["audio"], fields: [{ name: "Mood", type: "text" }] } };
  },
  assertResponse: ({ data }) =>
    expect(data).toMatchObject({ kinds: ["audio"], fields: [{ name: "Mood", type: "text", options: [], help: "", tag: null }], revision: 1 }),
  invalid: {
    "params.team_id": BAD_ID_IN_PATH,
    "body.name": badLine(LIMITS.metadata_name_characters),
    "body.kinds": BAD_KINDS,
    "body.fields": [
      null,
      [{}],
      [{ name: "x", type: "color" }],
      [{ name: "x", type: "text", options: [{ name: "y" }] }],
      BAD_TAGS.map((tag) => ({ name: "x", type: "text", tag })),
    ],
  },
  rejectedRequests: inaccessibleTeams({ name: "Other" }),
  edgeCases: {
    "refuses a taken name, a field twice, and more templates than a team can have": async (fixtures) => {
      const { testApp, owner: caller, home } = fixtures;
      await deleteMetadataTemplates(fixtures);
      const create = async (name: string, fields: { name: string; type: "text" }[] = []) =>
        (await testApp.call(caller, operations.createMetadataTemplate, { params: { team_id: home.team }, body: { name, fields } })).status;
      expect(await create("Release")).toBe(200);
      expect(await create(" RELEASE ")).toBe(409);
      expect(
        await create("Twice", [
          { name: "A", type: "text" },
          { name: "a", type: "text" },
        ]),
      ).toBe(409);
      for (let count = 1; count < LIMITS.metadata_templates_per_team; count += 1) expect(await create(newTemplateName())).toBe(200);
      expect(await create(newTemplateName())).toBe(409);
      await deleteMetadataTemplates(fixtures);
    },
  },
};
export const updateMetadataTemplate: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => ({ params: { template_id: (await fresh(fixtures)).id }, body: { name: newTemplateName(), kinds: ["video"], position: 0 } }),
  assertResponse: ({ data, input }) => expect(data).toMatchObject({ name: (input.body as { name: string }).name, kinds: ["video"], revision: 2 }),
  invalid: {
    "params.template_id": BAD_ID_IN_PATH,
    "body.name": badLine(LIMITS.metadata_name_characters),
    "body.kinds": BAD_KINDS,
    "body.position": [-1, 1.5, "1", 1_001],
  },
  rejectedRequests: inaccessibleTemplates({ name: "Other" }),
  edgeCases: {},
};
export const getMetadataTemplateUsage: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => ({ params: { template_id: (await fresh(fixtures)).id } }),
  assertResponse: ({ data }) => {
    expect(data).toMatchObject({ value_count: 0, file_count: 0 });
    expect(data.fields).toHaveLength(7);
  },
  invalid: { "params.template_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTemplates(),
  edgeCases: {},
};
export const deleteMetadataTemplate: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => ({ params: { template_id: (await fresh(fixtures)).id } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ value_count: 0 }),
  invalid: { "params.template_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTemplates(),
  edgeCases: {},
};
export const restoreMetadataTemplate: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => {
    const template_id = (await fresh(fixtures)).id;
    await fixtures.testApp.call(fixtures.owner, operations.deleteMetadataTemplate, { params: { template_id } });
    return { params: { template_id } };
  },
  assertResponse: ({ data }) => expect(data.fields).toHaveLength(7),
  invalid: { "params.template_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTemplates(),
  edgeCases: {},
};
export const createMetadataField: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => ({
    params: { template_id: (await fresh(fixtures)).id },
    body: { name: "Mood", type: "choice", options: [{ name: "Dark" }], help: "How it feels", tag: "MOOD", position: 0 },
  }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Mood", type: "choice", options: [{ name: "Dark" }], help: "How it feels", tag: "MOOD" }),
  invalid: {
    "params.template_id": BAD_ID_IN_PATH,
    "body.name": badLine(LIMITS.metadata_name_characters),
    "body.type": ["color", null, 5],
    "body.options": [
      null,
      [{}],
      [{ name: "Same" }, { name: "same" }],
      Array.from({ length: LIMITS.metadata_options_per_field + 1 }, (_, index) => ({ name: `${index}` })),
    ],
    "body.help": badText(LIMITS.metadata_help_characters),
    "body.tag": BAD_TAGS,
    "body.position": [-1, 1.5, "1"],
  },
  rejectedRequests: inaccessibleTemplates({ name: "Mood", type: "text" }),
  edgeCases: {},
};
export const updateMetadataField: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => {
    const field = fieldOf(await fresh(fixtures), "Version");
    return {
      params: { field_id: field.id },
      body: {
        name: "Kind",
        help: "Which mix",
        tag: "version",
        position: 0,
        options: [{ name: "Full" }, { id: field.options[0]?.id, name: "Radio" }],
        lost_value_count: 0,
      },
    };
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Kind", help: "Which mix", tag: "version", options: [{ name: "Full" }, { name: "Radio" }] }),
  invalid: {
    "params.field_id": BAD_ID_IN_PATH,
    "body.name": badLine(LIMITS.metadata_name_characters),
    "body.help": badText(LIMITS.metadata_help_characters),
    "body.tag": BAD_TAGS,
    "body.position": [-1, 1.5],
    "body.options": [null, [{ name: "" }], [{ id: "unknown", name: "x" }]],
    "body.lost_value_count": [-1, 1.5, "1"],
  },
  rejectedRequests: inaccessibleFields({ name: "Other" }),
  edgeCases: {},
};
export const deleteMetadataField: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => ({ params: { field_id: fieldOf(await fresh(fixtures), "Notes").id } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ value_count: 0 }),
  invalid: { "params.field_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFields(),
  edgeCases: {},
};
export const restoreMetadataField: EndpointCase = {
  caller: owner,
  valid: async (fixtures) => {
    const field_id = fieldOf(await fresh(fixtures), "Notes").id;
    await fixtures.testApp.call(fixtures.owner, operations.deleteMetadataField, { params: { field_id } });
    return { params: { field_id } };
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Notes" }),
  invalid: { "params.field_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFields(),
  edgeCases: {},
};
export const getFileMetadata: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data).toMatchObject({ file_id: home.file, project_id: home.project }),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFiles(),
  edgeCases: {},
};
export const getMetadataSuggestions: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { file_id: home.file } }),
  assertResponse: ({ data, fixtures: { home } }) => expect(data).toEqual({ file_id: home.file, values: {} }),
  invalid: { "params.file_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleFiles(),
  edgeCases: {},
};
export const updateFileMetadata: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({
    params: { file_id: fixtures.home.file },
    body: { values: { [fieldOf(await fresh(fixtures), "Notes").id]: " warm " }, if_values: {} },
  }),
  assertResponse: ({ data }) => expect(Object.values(data.values as object)).toEqual(["warm"]),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "body.values": [...BAD_VALUES, { "999999": "x" }], "body.if_values": BAD_VALUES },
  rejectedRequests: inaccessibleFiles({ values: {} }),
  edgeCases: {},
};
export const listFileMetadata: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project }, query: { file_ids: `${home.file},${home.file}` } }),
  assertResponse: ({ response, fixtures: { home } }) => expect(response).toMatchObject({ data: [{ file_id: home.file }], next_cursor: null }),
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "query.file_ids": ["", "0", "1,", "x", Array.from({ length: LIMITS.files_per_request + 1 }, (_, index) => index + 1).join(",")],
    ...BAD_PAGE_IN_QUERY,
  },
  rejectedRequests: [
    ["a project of another organization", ({ foreign: { project, file } }) => ({ params: { project_id: project }, query: { file_ids: String(file) } }), 404],
  ],
  edgeCases: {
    "leaves out folders, and files of other projects": async ({ testApp, guest, home, foreign: { file } }) => {
      const query = { file_ids: `${home.folder},${home.file},${file},999999` };
      const { response } = await testApp.call(guest, operations.listFileMetadata, { params: { project_id: home.project }, query });
      expect(response.data.map(({ file_id }) => file_id)).toEqual([home.file]);
    },
  },
};
export const updateProjectMetadata: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({
    params: { project_id: fixtures.home.project },
    body: { changes: [{ file_ids: [fixtures.home.file], values: { [fieldOf(await fresh(fixtures), "Take").id]: 3 } }] },
  }),
  assertResponse: ({ response, fixtures: { home } }) => expect(response.data).toMatchObject([{ file_id: home.file, project_id: home.project }]),
  invalid: {
    "params.project_id": BAD_ID_IN_PATH,
    "body.changes": [null, [], [{}], ...BAD_ID.map((id) => [{ file_ids: [id], values: {} }]), ...BAD_VALUES.map((values) => [{ file_ids: [1], values }])],
  },
  rejectedRequests: [
    [
      "a project of another organization",
      ({ foreign: { project } }) => ({ params: { project_id: project }, body: { changes: [{ file_ids: [1], values: {} }] } }),
      404,
    ],
    [
      "a file of another project",
      ({ home, foreign: { file } }) => ({ params: { project_id: home.project }, body: { changes: [{ file_ids: [file], values: {} }] } }),
      404,
    ],
  ],
  edgeCases: {},
};
