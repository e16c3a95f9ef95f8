import { expect, test } from "vitest";
import { documentedInfo } from "../file-info.fixture.ts";
import { documentedFacts, formatProcessingState } from "./documented-facts.ts";

test("every documented member of `common` that the page shows nowhere else is a fact", () => {
  const facts = documentedFacts({ ...documentedInfo.common, id: 12_345, is_shared: true, compressed_file_url: "/mix.m4a", file_team_id: 0 });
  expect(Object.fromEntries(facts.map(({ label, value }) => [label, value]))).toEqual({
    Processing: "Done",
    "Compressed copy": "Yes",
    Shared: "Yes",
    "Blind drop": "No",
    "File ID": "12345",
    "Project ID": "3",
    "Team ID": "Unknown",
  });
});

test("members that the service does not send are unknown", () => {
  const facts = documentedFacts({ ...documentedInfo.common, transcoding_status: "", unknown_members: ["is_shared", "is_blind_drop", "compressed_file_url"] });
  expect(facts.filter(({ value }) => value === "Unknown").map(({ label }) => label)).toEqual(["Processing", "Compressed copy", "Shared", "Blind drop"]);
});

test.each([
  ["waiting", "Waiting"],
  ["transcoding", "In progress"],
  ["failed", "Failed"],
  ["", "Unknown"],
  ["queued_elsewhere", "Queued elsewhere"],
  ["constructor", "Constructor"],
])("the state %j is shown as %s", (state, text) => expect(formatProcessingState(state)).toBe(text));
