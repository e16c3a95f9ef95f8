import { expect } from "vitest";
import type { SearchGroup, SearchKind, SearchResult } from "../../../contract/search-records.ts";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Caller } from "../client.ts";
import { createMessage, type Fixtures } from "../fixtures.ts";
import { createApiToken } from "../people.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_TIMESTAMP_IN_QUERY, type EndpointCase } from "./case.ts";

const find = async ({ testApp, member }: Fixtures, query: { q: string } & Record<string, string>, caller: Caller = member): Promise<SearchGroup[]> =>
  (await testApp.call(caller, searchOperation, { query })).response.data.groups;
const resultsOf = (groups: SearchGroup[], kind: SearchKind): SearchResult[] => groups.find((group) => group.kind === kind)?.results ?? [];

export const search: EndpointCase = {
  caller: ({ member }) => member,
  valid: () => ({ query: { q: "Home WELCO" } }),
  assertResponse: ({ data, fixtures: { home, owner } }) =>
    expect(data.groups).toEqual([
      {
        kind: "message",
        results: [
          {
            object: "search_result",
            kind: "message",
            id: home.message,
            title: "",
            text: "Welcome to home",
            project: { id: home.project, name: "home" },
            file: null,
            account: { id: owner.id, username: expect.any(String) },
            time: expect.any(String),
          },
        ],
        next_cursor: null,
      },
    ]),
  invalid: {
    "query.q": ["", "  ", "x".repeat(LIMITS.search_characters + 1), "two\nlines", "nul\0"],
    "query.kind": ["", "files", "file,", "file;task"],
    "query.project_id": BAD_ID_IN_PATH,
    "query.near_project_id": BAD_ID_IN_PATH,
    "query.account_id": BAD_ID_IN_PATH,
    "query.since": BAD_TIMESTAMP_IN_QUERY,
    "query.until": BAD_TIMESTAMP_IN_QUERY,
    "query.cursor": ["nonsense", "x".repeat(201)],
    "query.limit": BAD_LIMIT_IN_QUERY,
  },
  rejectedRequests: [
    ["in another project of the same team", ({ next }) => ({ query: { q: "welcome", project_id: next.project } }), 404],
    ["in a project of another organization", ({ foreign }) => ({ query: { q: "welcome", project_id: foreign.project } }), 404],
    ["near a project of another organization", ({ foreign }) => ({ query: { q: "welcome", near_project_id: foreign.project } }), 404],
  ],
  edgeCases: {
    "pages through one kind, each result once; a cursor needs that kind alone": async (fixtures) => {
      const { testApp, member, owner, home } = fixtures;
      for (let index = 0; index < 5; index += 1) await createMessage(testApp, owner, home.project, `paging ${index}`);
      const paged: number[] = [];
      let cursor: string | null = null;
      do {
        const [group]: SearchGroup[] = await find(fixtures, { q: "paging", kind: "message", limit: "2", ...(cursor ? { cursor } : {}) });
        paged.push(...(group?.results ?? []).map(({ id }) => id));
        cursor = group?.next_cursor ?? null;
        if (cursor) {
          expect((await testApp.callUntyped(member, searchOperation, { query: { q: "paging", cursor } })).status).toBe(400);
          expect((await testApp.callUntyped(member, searchOperation, { query: { q: "paging", kind: "message,file", cursor } })).status).toBe(400);
        }
      } while (cursor !== null);
      expect(paged).toHaveLength(5);
      expect(paged).toEqual(paged.toSorted((a, b) => b - a));
    },
    "a token finds only what its scopes let it read": async (fixtures) => {
      const { testApp, member } = fixtures;
      const token = await createApiToken(testApp, member, ["account:read"]);
      expect((await find(fixtures, { q: "home" }, token)).map(({ kind }) => kind)).toEqual(["project"]);
      expect((await find(fixtures, { q: "home" })).map(({ kind }) => kind)).toEqual(["project", "message"]);
      const named = await testApp.callUntyped(token, searchOperation, { query: { q: "home", kind: "message" } });
      expect([named.status, named.text]).toEqual([403, expect.stringContaining("chat:read")]);
    },
    "text without a letter or digit matches nothing": async (fixtures) => expect(await find(fixtures, { q: "?!" })).toEqual([]),
    "what is in the near project comes first, without further pages": async (fixtures) => {
      const { testApp, owner, home, next } = fixtures;
      await createMessage(testApp, owner, next.project, "nearby one");
      await createMessage(testApp, owner, home.project, "nearby two");
      const near = async (project: number) =>
        resultsOf(await find(fixtures, { q: "nearby", near_project_id: String(project), limit: "2" }, owner), "message").map(({ text }) => text);
      expect(await near(next.project)).toEqual(["nearby one", "nearby two"]);
      expect(await near(home.project)).toEqual(["nearby two", "nearby one"]);
    },
  },
};
