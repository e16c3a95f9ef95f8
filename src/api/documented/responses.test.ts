import fc from "fast-check";
import { expect, test } from "vitest";
import type { Operation } from "../../../contract/define-operation.ts";
import { operations } from "../../../contract/operations/all.ts";
import { chatHistory } from "../../../contract/operations/chat.ts";
import { getFileInfo } from "../../../contract/operations/files.ts";
import { createWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import { aiTags, attachment, common, fileInfo, message, read } from "./documented.fixture.ts";
import { TOLERANT_OPERATIONS } from "./responses.ts";

test("every documented operation with a described response is read tolerantly, and no other", () => {
  // The document names listing webhook endpoints without describing it, and OAuth without its members.
  const described = [chatHistory, getFileInfo, createWebhookEndpoint];
  expect(TOLERANT_OPERATIONS).toEqual(described.map(({ method, path }) => `${method} ${path}`));
  expect(described.every(({ source }) => source === "documented")).toBe(true);
  for (const operation of Object.values(operations) as Operation[])
    if (!(described as Operation[]).includes(operation)) expect(read(operation, { object: "list", data: [] })).toBeUndefined();
});

test.each<[Operation, unknown]>([
  [chatHistory, {}],
  [chatHistory, { object: "list", data: null }],
  [chatHistory, "hello"],
  [chatHistory, { data: [{ body: "no id" }] }],
  [getFileInfo, []],
  [getFileInfo, { error: "denied" }],
  [createWebhookEndpoint, null],
  [createWebhookEndpoint, ["x"]],
])("nothing can be read from a response of $path that is %j", (operation, json) => expect(read(operation, json)).toBeNull());

/** Replaces one member of a record, at any depth, by any JSON. */
const anyReplacement = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value !== "object" || value === null) return fc.jsonValue();
  const members = Object.entries(value).map(([name, member]) =>
    anyReplacement(member).map((replaced) => (Array.isArray(value) ? value.with(Number(name), replaced) : { ...value, [name]: replaced })),
  );
  return fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, ...members.map((arbitrary) => ({ weight: 3, arbitrary })));
};
const status = { id: 3, title: "Approved", color: 4, position: 1, is_final: true };
const responses: [Operation, object][] = [
  [
    chatHistory,
    {
      object: "list",
      data: [{ ...message, revision: 1, reactions: [], mentions: [9], attachments: [{ ...attachment, duration: 2, thumbnail: "x", kind: "audio", status }] }],
      has_more_before: false,
    },
  ],
  [getFileInfo, { ...fileInfo, common: { ...common, status }, ai_tags: { ...aiTags, bpm_candidates: [120] } }],
  [getFileInfo, { ...fileInfo, file_info: { object: "video_file_info", duration: 3, width: 20, wave: [1] } }],
  [createWebhookEndpoint, { object: "webhook_endpoint", data: { id: 4, url: "https://a.example", event_types: ["x"], secret: "s", recent: [] } }],
];
test.each(responses)("whatever JSON any member of the response of $path holds, the result has the types of the contract", (operation, response) => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), anyReplacement(response)), (json) => {
      const result = read(operation, json);
      if (result === null) return;
      const parsed = operation.response!.safeParse(result);
      // Ids that the service does not tell are 0, those of attachments negative.
      const issues = parsed.error?.issues.filter(({ code, path }) => !(code === "too_small" && /(^|_)id$/.test(String(path.at(-1))))) ?? [];
      expect(issues).toEqual([]);
    }),
    { numRuns: 1_500 },
  );
});
