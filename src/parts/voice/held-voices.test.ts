import { expect, test } from "vitest";
import { messageOf } from "../../queries/messages/message.fixture.ts";
import type { OutboxEntry } from "../../queries/outbox/outbox.ts";
import { heldVoices } from "./held-voices.ts";

test("what waits in the outbox and what its writer has sent is known; words and what others sent is not meant", () => {
  const entries = [
    { clientId: "a", voice: { seconds: 1, wave: [] } },
    { clientId: "words", voice: null },
  ] as unknown as OutboxEntry[];
  const messages = [
    messageOf(1, { account_id: 1, client_id: "b" }),
    messageOf(2, { account_id: 2, client_id: "c" }),
    messageOf(3, { account_id: 1, client_id: null }),
  ];
  expect(heldVoices(entries, messages, 1)).toEqual({ waiting: new Set(["a"]), arrived: new Set(["b"]) });
  expect(heldVoices([], undefined, 1)).toEqual({ waiting: new Set(), arrived: new Set() });
});
