import { describe, expect, it } from "vitest";
import { createLog, formatEntry } from "./log.ts";

function collect(level = "info") {
  const lines: string[] = [];
  return { lines, log: createLog({ level, stream: { write: (line) => void lines.push(line) } }) };
}

describe("entries", () => {
  it("name level and time as text", () => {
    const { lines, log } = collect();
    log.warn({ job_id: 7 }, "job failed");
    log.debug("not this one");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual({ level: "warn", time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), pid: process.pid, job_id: 7, msg: "job failed" });
  });
  it("have type, message, code, stack and cause of an error, and none of the other members that drivers add", () => {
    const { lines, log } = collect();
    const cause = Object.assign(new Error("deeper"), { response: "550 ana@studio.example is unknown" });
    const error = Object.assign(new Error("violates a constraint", { cause }), { code: "23514", detail: "Failing row contains (a private message)." });
    log.error({ err: error }, "unexpected failure");
    expect(JSON.parse(lines[0]!)).toMatchObject({ err: { type: "Error", message: "violates a constraint", code: "23514", cause: { message: "deeper" } } });
    expect(lines[0]).toContain("log.test.ts");
    expect(lines[0]).not.toMatch(/private|ana@/);
  });
  it("are one line each for people, and the stack of an error below it", () => {
    const { lines, log } = collect();
    log.info({ request_id: "a1", operation: null, status: 200, ids: [1, 2] }, "request");
    expect(formatEntry(lines[0]!)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}request request_id=a1 status=200 ids=\[1,2\]\n$/);
    log.error({ err: new Error("broke") }, "failed");
    expect(formatEntry(lines[1]!)).toMatch(/ ERROR failed\n {4}Error: broke\n {8}at /);
  });
});
