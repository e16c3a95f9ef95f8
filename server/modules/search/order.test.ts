/** Tests the order of results with names, and that pages follow it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { search as searchOperation } from "../../../contract/operations/search.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures, type ProjectFixture } from "../../testing/fixtures.ts";
import { MAX_RANKED } from "./ranking.ts";

describe.each(ENGINES)("order of search results on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  async function createPlaylists(names: readonly string[], { project }: ProjectFixture = fixtures.home): Promise<void> {
    const { testApp, owner } = fixtures;
    await testApp.database.write(async (tx) => {
      const times = { created_by: owner.id, created_at: 1, updated_at: 1 };
      const rows = await tx
        .insertInto("playlists")
        .values(names.map((name) => ({ project_id: project, name, ...times })))
        .returning("id")
        .execute();
      const ids = rows.map(({ id }) => id);
      await indexRecords(tx, engine, "playlist", ids);
    });
  }
  const search = async (query: { q: string } & Record<string, string | number>) => {
    const { groups } = (await fixtures.testApp.call(fixtures.owner, searchOperation, { query: { kind: "playlist", ...query } })).response.data;
    return { titles: groups[0]?.results.map(({ title }) => title) ?? [], next: groups[0]?.next_cursor ?? null };
  };
  /** Reads all pages. */
  async function readPages(q: string, limit: number, onFirstPage: () => Promise<void> = async () => {}): Promise<string[]> {
    const titles: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await search({ q, limit, ...(cursor === null ? {} : { cursor }) });
      if (cursor === null) await onFirstPage();
      titles.push(...page.titles);
      cursor = page.next;
      if (cursor === null) return titles;
    }
  }

  it("the name itself comes first, then names that begin with it, then the newest, over any pages", async () => {
    await createPlaylists(["Aurora", "aurora borealis", "North aurora", "Süd-Aurora", "Aurora mixes"]);
    const expected = ["Aurora", "Aurora mixes", "aurora borealis", "Süd-Aurora", "North aurora"];
    for (const limit of [1, 2, 4, 5]) expect(await readPages("aurora", limit), `${limit}`).toEqual(expected);
    expect(await readPages("aurora b", 1)).toEqual(["aurora borealis"]);
  });

  it("what matches by its name comes before records of the near project, and then there are no further pages", async () => {
    await createPlaylists(["Comet two", "Comet three"]);
    await createPlaylists(["Comet one", "Comet"], fixtures.next);
    const near = { near_project_id: fixtures.home.project };
    expect(await search({ q: "comet", ...near })).toEqual({ titles: ["Comet", "Comet three", "Comet two", "Comet one"], next: null });
    expect(await search({ q: "comet", limit: 2, ...near })).toEqual({ titles: ["Comet", "Comet three"], next: null });
  });

  it("very many matches are listed newest first, and a list keeps the order in which it began", async () => {
    await createPlaylists(["Nova", ...Array.from({ length: MAX_RANKED - 1 }, (_, index) => `Old nova ${index}`)]);
    const more = () => createPlaylists(["Nova since"]);
    const pages = await readPages("nova", 100, more);
    expect([pages.length, new Set(pages).size, pages[0], pages[1], pages.at(-1)]).toEqual([
      MAX_RANKED,
      MAX_RANKED,
      "Nova",
      `Old nova ${MAX_RANKED - 2}`,
      "Old nova 0",
    ]);
    const byTime = await readPages("nova", 100);
    expect([byTime.length, byTime[0], byTime[1], byTime.at(-1)]).toEqual([MAX_RANKED + 1, "Nova since", `Old nova ${MAX_RANKED - 2}`, "Nova"]);
  });
});
