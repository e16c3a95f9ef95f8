/** The matrix rows about the knowledge base, in the format of `table.ts`, and their requests. */
import { setPages } from "../documents.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const KNOWLEDGE_TABLE = `
search               documents                      200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
searchKnowledgeBase  all                            200:f 200:f 200:f 200:f | 200:n 200:n | 200:h 200:h 200:hna 200:hna
searchKnowledgeBase  in home                        404 404 404 404 | 404 404 | 200:h 200:h 200:h 200:h
searchKnowledgeBase  in the file of foreign         200:f 200:f 200:f 200:f | 404 404 | 404 404 404 404
listFilePages        of home                        404 404 404 404 | 404 404 | 200 200 200 200
listFilePages        of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
getFilePage          of home                        404 404 404 404 | 404 404 | 200 200 200 200
getFilePage          of foreign                     200 200 200 200 | 404 404 | 404 404 404 404
`;

const WORD = "knowledgeable";
const prepared = new WeakSet<Scenario>();

async function prepare(scenario: Scenario): Promise<void> {
  if (prepared.has(scenario)) return;
  prepared.add(scenario);
  const { testApp, home, next, apart, foreign } = scenario.fixtures;
  for (const { file } of [home, next, apart, foreign]) await setPages(testApp, file, [WORD]);
}
const afterPreparing =
  (build: (scenario: Scenario) => object): RequestBuilder =>
  async (scenario) => {
    await prepare(scenario);
    return build(scenario);
  };

export const KNOWLEDGE_REQUESTS: Record<string, RequestBuilder> = {
  "search documents": afterPreparing(() => ({ query: { q: WORD, kind: "document" } })),
  "searchKnowledgeBase all": afterPreparing(() => ({ query: { query: WORD } })),
  "searchKnowledgeBase in home": afterPreparing(({ fixtures }) => ({ query: { query: WORD, project_id: fixtures.home.project } })),
  "searchKnowledgeBase in the file of foreign": afterPreparing(({ fixtures }) => ({ query: { query: WORD, file_id: fixtures.foreign.file } })),
  "listFilePages of home": afterPreparing(({ fixtures }) => ({ params: { file_id: fixtures.home.file } })),
  "listFilePages of foreign": afterPreparing(({ fixtures }) => ({ params: { file_id: fixtures.foreign.file } })),
  "getFilePage of home": afterPreparing(({ fixtures }) => ({ params: { file_id: fixtures.home.file, number: 1 } })),
  "getFilePage of foreign": afterPreparing(({ fixtures }) => ({ params: { file_id: fixtures.foreign.file, number: 1 } })),
};

/** Returns the ids of the projects in which something was found. */
export const foundProjects = (data: unknown): number[] => (data as { project: { id: number } }[]).map(({ project }) => project.id);
