import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/knowledge.ts";
import { setPages } from "../documents.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, type EndpointCase } from "./case.ts";

const PAGES = ["The first page is about violins.", "The second page is about a small green tambourine."];

async function withPages(fixtures: Fixtures): Promise<number> {
  await setPages(fixtures.testApp, fixtures.home.file, PAGES);
  return fixtures.home.file;
}
const find = async ({ testApp, member }: Fixtures, query: { query: string } & Record<string, string>) =>
  (await testApp.call(member, operations.searchKnowledgeBase, { query })).response;

export const searchKnowledgeBase: EndpointCase = {
  caller: ({ member }) => member,
  async valid(fixtures) {
    await withPages(fixtures);
    return { query: { query: '"small green" tamb' } };
  },
  assertResponse: ({ response, fixtures: { home } }) =>
    expect(response).toEqual({
      object: "list",
      data: [
        {
          object: "knowledge_result",
          file: { id: home.file, name: expect.any(String), kind: expect.any(String), version: 1 },
          project: { id: home.project, name: "home" },
          source: "document",
          page: 2,
          page_label: "Page 2",
          excerpt: PAGES[1],
          highlights: [
            { start: 27, end: 32 },
            { start: 33, end: 38 },
            { start: 39, end: 49 },
          ],
          time: expect.any(String),
        },
      ],
      next_cursor: null,
    }),
  invalid: {
    "query.query": ["", "  ", "x".repeat(LIMITS.search_characters + 1), "two\nlines", "nul\0"],
    "query.team_id": BAD_ID_IN_PATH,
    "query.project_id": BAD_ID_IN_PATH,
    "query.file_id": BAD_ID_IN_PATH,
    "query.version": BAD_ID_IN_PATH,
    "query.cursor": ["x", ""],
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  rejectedRequests: [
    ["a team of another organization", ({ foreign }) => ({ query: { query: "page", team_id: String(foreign.team) } }), 404],
    ["a project of another organization", ({ foreign }) => ({ query: { query: "page", project_id: String(foreign.project) } }), 404],
    ["a file of another organization", ({ foreign }) => ({ query: { query: "page", file_id: String(foreign.file) } }), 404],
    ["a version without a file", () => ({ query: { query: "page", version: "1" } }), 400],
    ["a version that does not exist", ({ home }) => ({ query: { query: "page", file_id: String(home.file), version: "77" } }), 404],
  ],
  edgeCases: {
    "pages follow one another within a file, also with a phrase": async (fixtures) => {
      await withPages(fixtures);
      for (const query of ["page", '"page is about"']) {
        const first = await find(fixtures, { query, limit: "1" });
        const second = await find(fixtures, { query, limit: "1", cursor: first.next_cursor! });
        expect([...first.data, ...second.data].map(({ page }) => page)).toEqual([1, 2]);
        expect(second.next_cursor).toBeNull();
      }
    },
    "words in quotes stand together": async (fixtures) => {
      await withPages(fixtures);
      expect((await find(fixtures, { query: '"green tambourine"' })).data).toHaveLength(1);
      expect((await find(fixtures, { query: '"tambourine green"' })).data).toEqual([]);
      expect((await find(fixtures, { query: "tambourine green" })).data).toHaveLength(1);
    },
    "team, project and file narrow the search": async (fixtures) => {
      const { home, next } = fixtures;
      const file = await withPages(fixtures);
      const query = "tambourine";
      for (const narrow of [{ team_id: home.team }, { project_id: home.project }, { file_id: file }] as Record<string, number>[])
        expect((await find(fixtures, { query, ...mapToText(narrow) })).data).toHaveLength(1);
      const { testApp, owner } = fixtures;
      const elsewhere = await testApp.call(owner, operations.searchKnowledgeBase, { query: { query, project_id: String(next.project) } });
      expect(elsewhere.response.data).toEqual([]);
    },
    "text without a letter or digit matches nothing": async (fixtures) => expect((await find(fixtures, { query: "?!" })).data).toEqual([]),
  },
};

const mapToText = (values: Record<string, number>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

export const listFilePages: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { file_id: await withPages(fixtures) } }),
  assertResponse: ({ response }) =>
    expect(response).toEqual({
      object: "list",
      data: PAGES.map((text, index) => ({
        object: "file_page",
        number: index + 1,
        label: `Page ${index + 1}`,
        source: "document",
        characters: text.length,
      })),
      next_cursor: null,
      state: "indexed",
      reason: "",
      unit: "page",
      page_count: 2,
      is_cut: false,
      version: 1,
    }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.version": BAD_ID_IN_PATH, "query.cursor": ["x", ""], "query.limit": BAD_LIMIT_IN_QUERY },
  rejectedRequests: [
    ["a file of another organization", ({ foreign }) => ({ params: { file_id: foreign.file } }), 404],
    ["a folder", ({ home }) => ({ params: { file_id: home.root } }), 404],
    ["a version that does not exist", ({ home }) => ({ params: { file_id: home.file }, query: { version: "77" } }), 404],
  ],
  edgeCases: {
    "pages of the list follow one another": async (fixtures) => {
      const params = { file_id: await withPages(fixtures) };
      const { testApp, member } = fixtures;
      const first = (await testApp.call(member, operations.listFilePages, { params, query: { limit: "1" } })).response;
      const second = (await testApp.call(member, operations.listFilePages, { params, query: { limit: "1", cursor: first.next_cursor! } })).response;
      expect([first, second].map(({ data }) => data.map(({ number }) => number))).toEqual([[1], [2]]);
      expect(second.next_cursor).toBeNull();
    },
  },
};

export const getFilePage: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { file_id: await withPages(fixtures), number: 2 } }),
  assertResponse: ({ data }) =>
    expect(data).toEqual({ object: "file_page", number: 2, label: "Page 2", source: "document", characters: PAGES[1]?.length, text: PAGES[1] }),
  invalid: { "params.file_id": BAD_ID_IN_PATH, "params.number": BAD_ID_IN_PATH, "query.version": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a page that does not exist", async (fixtures) => ({ params: { file_id: await withPages(fixtures), number: 3 } }), 404],
    ["a file of another organization", ({ foreign }) => ({ params: { file_id: foreign.file, number: 1 } }), 404],
  ],
  edgeCases: {},
};
