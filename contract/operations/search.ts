/** The search across everything that the caller sees. */
import * as z from "zod/mini";
import { operation, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { SEARCH_KINDS, searchGroup } from "../search-records.ts";
import { commaSeparated, dateTime, idInPath, limitInQuery, searchText, withDescription } from "../text.ts";

/** A token finds only kinds that its scopes let it read: files, playlists, tasks and comments need `files:read`, messages `chat:read`. */
export const search = operation({
  method: "GET",
  path: "/api/v2/search",
  group: "Search",
  summary: "Search everything that you see; every word must occur, the last one may be a beginning",
  source: "extension",
  scope: "account:read",
  rule: "self",
  furtherRules: ["project.read", "account.read", "file.read", "task.read", "chat.read", "comment.read", "playlist.read"],
  cost: 5,
  query: z.object({
    q: withDescription(
      searchText(LIMITS.search_characters),
      "words; case and accents do not matter. Words in quotes must stand together, which is checked in the newest 2,000 records of each kind that have all words. Files are found by name, tag, tempo, key and status, documents by their text, people by name and email address",
    ),
    kind: withDescription(z.optional(commaSeparated(SEARCH_KINDS.join("|"), "a kind")), `${SEARCH_KINDS.join(", ")}; default: all`),
    project_id: withDescription(z.optional(idInPath), "in this project; of people, its members"),
    near_project_id: withDescription(
      z.optional(idInPath),
      "lists what is in this project first, of files and playlists among names that match equally well; there are no further pages then",
    ),
    account_id: withDescription(z.optional(idInPath), "written, uploaded or created by this person, or assigned to them; leaves out projects and people"),
    since: withDescription(z.optional(dateTime), "`time` at or after"),
    until: withDescription(z.optional(dateTime), "`time` before"),
    cursor: withDescription(z.optional(z.string().check(z.maxLength(200))), "`next_cursor` of a group; needs `kind` with that kind alone"),
    limit: withDescription(z.optional(limitInQuery), `results of each kind: default ${LIMITS.search_results_default}, at most ${LIMITS.search_results_max}`),
  }),
  response: single("search", z.looseObject({ groups: z.array(searchGroup) })),
});
