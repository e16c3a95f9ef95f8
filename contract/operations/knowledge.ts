/** The knowledge base: searches the text of files, and reads it page by page. */
import * as z from "zod/mini";
import { operation, page, pageQuery, single } from "../define-operation.ts";
import { filePage, filePageWithText, fileText, knowledgeResult } from "../knowledge-records.ts";
import { LIMITS } from "../limits.ts";
import { idInPath, searchText, withDescription } from "../text.ts";

const read = { method: "GET", group: "Knowledge base", source: "extension", scope: "files:read", rule: "file.read" } as const;
const version = withDescription(z.optional(idInPath), "the number of a version; default: the current one");

export const searchKnowledgeBase = operation({
  ...read,
  path: "/api/v2/knowledge-base/search",
  summary: "Search the text of documents, lyrics and notes, page by page",
  furtherRules: ["project.read"],
  cost: 5,
  query: z.object({
    query: withDescription(
      searchText(LIMITS.search_characters),
      "words that must all occur on a page, the last one may be a beginning; words in quotes must stand together",
    ),
    team_id: withDescription(z.optional(idInPath), "in the projects of a team"),
    project_id: withDescription(z.optional(idInPath), "in a project"),
    file_id: withDescription(z.optional(idInPath), "in a file"),
    version: withDescription(z.optional(idInPath), "in this version of the file; needs `file_id`; default: the current one"),
    cursor: pageQuery.shape.cursor,
    limit: withDescription(pageQuery.shape.limit, `default ${LIMITS.search_results_default}, at most ${LIMITS.search_results_max}`),
  }),
  response: page(knowledgeResult),
});

export const listFilePages = operation({
  ...read,
  path: "/api/v2/files/{file_id}/pages",
  summary: "List the pages of a document, with the state of its text",
  params: z.object({ file_id: idInPath }),
  query: z.object({ version, ...pageQuery.shape }),
  response: z.looseObject({ ...page(filePage).shape, ...fileText.shape }),
});

export const getFilePage = operation({
  ...read,
  path: "/api/v2/files/{file_id}/pages/{number}",
  summary: "Get the text of a page",
  params: z.object({ file_id: idInPath, number: idInPath }),
  query: z.object({ version }),
  response: single("file_page", filePageWithText),
});
