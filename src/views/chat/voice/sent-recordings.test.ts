import { expect, test } from "vitest";
import { buildMessage } from "../../../queries/messages/message.fixture.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";
import { findSentRecordings } from "./sent-recordings.ts";

test("pending voice notes and the author's sent messages are found, not text or messages of others", () => {
  const entries = [
    { clientId: "a", voice: { seconds: 1, wave: [] } },
    { clientId: "text", voice: null },
  ] as unknown as OutboxEntry[];
  const messages = [
    buildMessage(1, { account_id: 1, client_id: "b" }),
    buildMessage(2, { account_id: 2, client_id: "c" }),
    buildMessage(3, { account_id: 1, client_id: null }),
  ];
  expect(findSentRecordings(entries, messages, 1)).toEqual({ pending: new Set(["a"]), delivered: new Set(["b"]) });
  expect(findSentRecordings([], undefined, 1)).toEqual({ pending: new Set(), delivered: new Set() });
});
