import { expect, test } from "vitest";
import type { SearchResult } from "../../../contract/search-records.ts";
import { pathOfResult } from "./result-link.ts";

const result = (fields: Partial<SearchResult>): SearchResult => ({
  object: "search_result",
  kind: "file",
  id: 7,
  title: "",
  text: "",
  project: { id: 3, name: "Nightdrive" },
  file: null,
  account: null,
  time: "2026-03-02T09:00:00.000Z",
  ...fields,
});
const file = { id: 9, name: "mix.wav", kind: "audio" as const };
const folder = { id: 8, name: "Stems", kind: "folder" as const };

test.each<[Partial<SearchResult>, string]>([
  [{ kind: "project" }, "/projects/7/chat"],
  [{ kind: "person", project: null }, "/settings/members?person=7"],
  [{ kind: "file", id: 9, file }, "/files/9"],
  [{ kind: "file", id: 8, file: folder }, "/projects/3/files/8"],
  [{ kind: "task", file }, "/files/9"],
  [{ kind: "task", file: folder }, "/projects/3/files/8"],
  [{ kind: "playlist" }, "/playlists/7"],
  [{ kind: "message" }, "/projects/3/chat/7"],
  [{ kind: "comment", file }, "/files/9?comment=7"],
])("%j is opened at %s", (fields, path) => expect(pathOfResult(result(fields))).toBe(path));
