import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Message } from "../../../contract/records.ts";
import { createClient } from "../../app/create-client.ts";
import { buildAttachment } from "../../queries/files/attachment.fixture.ts";
import { upsertAttachment } from "../../queries/files/cache-updates.ts";
import { toHistory, type History } from "../../queries/messages/history.ts";
import { messageKeys } from "../../queries/messages/cache-updates.ts";
import { buildMessage } from "../../queries/messages/message.fixture.ts";
import { projectQueries } from "../../queries/projects.ts";
import { mergeTail, pollMessages } from "./poll-messages.ts";

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => buildMessage(from + index));
const end = toHistory({ data: range(1, 5), has_more_before: false, has_more_after: false });

describe("a poll", () => {
  test("without new messages returns the same history", () => {
    expect(mergeTail(end, { data: [], has_more_after: false }, 5)).toBe(end);
    expect(mergeTail(end, { data: range(4, 5), has_more_after: false }, 3)).toBe(end);
  });

  test("appends new messages, and records when there are more", () => {
    expect(mergeTail(end, { data: range(6, 7), has_more_after: false }, 5).messages).toHaveLength(7);
    expect(mergeTail(end, { data: range(6, 7), has_more_after: true }, 5)).toMatchObject({ hasMoreAfter: true, completeThroughId: 7 });
  });

  test("of a service without paging joins its newest page where it overlaps, including an edit", () => {
    const plain = mergeTail(end, { data: [buildMessage(5, { revision: 2, body: "edited" }), buildMessage(6)] }, 5);
    expect(plain.messages.map(({ body }) => body).slice(-2)).toEqual(["edited", "message 6"]);
  });

  test("that starts after a gap marks the end as not loaded", () => {
    expect(mergeTail(end, { data: range(9, 10) }, 5)).toMatchObject({ hasMoreAfter: true, messages: end.messages });
  });

  test("is ignored by a history whose end is not loaded, or that already has later messages", () => {
    const middle = { ...end, hasMoreAfter: true };
    expect(mergeTail(middle, { data: range(6, 7), has_more_after: false }, 5)).toBe(middle);
    expect(mergeTail(end, { data: range(9, 10), has_more_after: false }, 8)).toBe(end);
  });
});

test("a poll updates files in processing, but does not undo a change that arrived during its request", async () => {
  const client = createClient();
  const key = messageKeys.history(1, "latest");
  const message = buildMessage(1, { attachments: [7, 8].map((id) => buildAttachment(id, { transcoding_status: "transcoding" })) });
  client.queryClient.setQueryData(key, toHistory({ data: [message], has_more_before: false, has_more_after: false }));
  client.queryClient.setQueryData(projectQueries.all().queryKey, []);
  const responses: ((data: Message[]) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => responses.push((data) => resolve(Response.json({ object: "list", data, has_more_after: false })))));
  onTestFinished(() => void vi.unstubAllGlobals());
  const polled = pollMessages(client, ["project:1"]);
  await vi.waitFor(() => expect(responses).toHaveLength(1));
  responses[0]!([]);
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  upsertAttachment(client, buildAttachment(7));
  responses[1]!([{ ...message, attachments: [message.attachments[0]!, buildAttachment(8)] }]);
  await polled;
  const attachments = client.queryClient.getQueryData<History>(key)!.messages[0]!.attachments;
  expect(attachments.map(({ transcoding_status }) => transcoding_status)).toEqual(["transcoded", "transcoded"]);
});

test("a poll without anything to request still finds out whether the service responds", async () => {
  const client = createClient();
  client.queryClient.setQueryData(projectQueries.all().queryKey, []);
  vi.stubGlobal("location", { href: "https://talkback.test/" });
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(pollMessages(client, ["project:1"])).rejects.toThrow("Can't reach the server");
  vi.stubGlobal("fetch", async () => Response.json({}, { status: 503 }));
  await expect(pollMessages(client, ["project:1"])).rejects.toThrow("Can't reach the server");
  vi.stubGlobal("fetch", async () => Response.json({}));
  await expect(pollMessages(client, ["project:1"])).resolves.toBeUndefined();
});
