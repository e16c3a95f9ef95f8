import { expect, test } from "vitest";
import type { Message, Role } from "../../../../contract/records.ts";
import { buildMessage, sharedComment } from "../../../queries/messages/message.fixture.ts";
import { serializeBody, shiftMentions, toEditableText } from "../../../sync/drafts/draft-text.ts";
import { canDeleteMessage, canEditMessage } from "./use-message-actions.ts";

const nameOf = (id: number) => ({ 7: "Ana", 8: "Ana Maria", 9: "Ana" })[id] ?? "?";

test("mentions become names for editing and serialize back, even when people share a name", () => {
  const body = "<@8> and <@7>, ask <@9>; not <@5>";
  const editable = toEditableText(body, [7, 8, 9], nameOf);
  expect(editable.text).toBe("@Ana Maria and @Ana, ask @Ana; not <@5>");
  expect(serializeBody(editable.text, editable.mentions)).toBe(body);
});

test("text typed before a mention moves it, text typed into it ends it", () => {
  const { text, mentions: ranges } = toEditableText("<@7> listen", [7], nameOf);
  const moved = `please ${text}`;
  expect(serializeBody(moved, shiftMentions(ranges, text, moved))).toBe("please <@7> listen");
  const broken = "@Anna listen";
  expect(serializeBody(broken, shiftMentions(ranges, text, broken))).toBe(broken);
});

test("only the author edits, the author and managers delete, and a deleted message or a service without changes allows neither", () => {
  const offers = (message: Message, accountId: number, role: Role, hasMessageActions = true) => [
    canEditMessage(message, { accountId, role, isArchived: false, hasMessageActions }),
    canDeleteMessage(message, { accountId, role, isArchived: false, hasMessageActions }),
  ];
  expect(offers(buildMessage(1), 1, "guest")).toEqual([true, true]);
  expect(offers(buildMessage(1), 1, "guest", false)).toEqual([false, false]);
  expect(offers(buildMessage(1), 2, "member")).toEqual([false, false]);
  expect(offers(buildMessage(1), 2, "admin")).toEqual([false, true]);
  expect(offers(buildMessage(1, { deleted: true }), 1, "owner")).toEqual([false, false]);
  expect(offers(buildMessage(1, { comment: sharedComment }), 1, "member")).toEqual([false, true]);
  expect(offers(buildMessage(1, { is_audio_message: true, body: "" }), 1, "member")).toEqual([false, true]);
  expect(offers(buildMessage(1, { is_audio_message: true }), 1, "member")).toEqual([true, true]);
});
