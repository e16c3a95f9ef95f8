import { expect, it } from "vitest";
import type { Message } from "../../../contract/records.ts";
import { withFound } from "./put.ts";

const message = (id: number, revision: number, more: Partial<Message> = {}) => ({ id, revision, body: `m${id}`, ...more }) as Message;
const pages = [{ data: [message(3, 2), message(2, 1)] }, { data: [message(1, 1)] }];

it("shows what was edited, and only what is newer", () => {
  expect(withFound(pages, message(1, 2, { body: "edited" }))[1]?.data).toEqual([message(1, 2, { body: "edited" })]);
  expect(withFound(pages, message(3, 2, { body: "late" }))).toBe(pages);
  expect(withFound(pages, message(9, 5))).toBe(pages);
});
it("lets go of what was deleted", () => {
  expect(withFound(pages, message(3, 3, { deleted: true }))[0]?.data).toEqual([message(2, 1)]);
});
