import { expect, test } from "vitest";
import type { Row } from "../../db/schema.ts";
import { presentAttempt, presentDelivery } from "./presenter.ts";

const delivery: Row<"deliveries"> = {
  id: 1,
  endpoint_id: 2,
  event_id: "e",
  event_type: "file.renamed",
  is_test: 0,
  by_hand: 0,
  state: "pending",
  step: 0,
  attempts: 0,
  next_attempt_at: 0,
  lease_until: null,
  lease_token: null,
  created_at: 0,
  done_at: null,
};
const attempt: Row<"delivery_attempts"> = {
  id: 1,
  delivery_id: 1,
  number: 1,
  started_at: 0,
  duration: 5,
  outcome: "ok",
  status: 200,
  request_headers: "{}",
  response_headers: null,
  response_body: "{}",
};
const subject = (type: string, data: object) =>
  presentDelivery({ delivery, event: { id: "e", type, data: JSON.stringify(data), project_id: null }, lastAttempt: null }).subject;
const remark = (changes: Partial<Row<"delivery_attempts">>) => presentAttempt({ ...attempt, ...changes }).remark;

test("summarizes the subject of an event", () => {
  expect(subject("file.uploaded", { name: "mix.wav" })).toBe("mix.wav");
  expect(subject("file.renamed", { name: "b.wav", old_name: "a.wav", new_name: "b.wav" })).toBe("a.wav → b.wav");
  expect(subject("file.status_changed", { name: "mix.wav", new_status: { title: "Approved" } })).toBe("mix.wav → Approved");
  expect(subject("task.closed", { title: "Bounce the stems" })).toBe("Bounce the stems");
  expect(subject("something.new", {})).toBe("");
});

test.each([
  [200, "{}"],
  [200, '{"ok":true}'],
  [200, "[]"],
  [200, "null"],
  [200, ` {"long":"${"x".repeat(2_100)}`.slice(0, 2_048)],
  [200, `["${"ä".repeat(1_022)}`],
])("%i with JSON gets no remark", (status, response_body) => expect(remark({ status, response_body })).toBeNull());

test.each([
  [200, ""],
  [200, null],
  [200, "OK"],
  [200, "<html>"],
  [200, '{"cut'],
  [200, "x".repeat(2_048)],
  [201, "{}"],
  [204, ""],
])("%i with %j gets a remark", (status, response_body) => expect(remark({ status, response_body })).toBe("2xx, but not 200 with JSON"));

test("a failed attempt gets no remark", () => {
  expect(remark({ outcome: "http", status: 500, response_body: "no" })).toBeNull();
  expect(remark({ outcome: "timeout", status: null, response_body: null })).toBeNull();
});
