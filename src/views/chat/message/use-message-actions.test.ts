import { expect, test } from "vitest";
import { buildMessage, sharedComment } from "../../../queries/messages/message.fixture.ts";
import { serializeBody, shiftMentions } from "../../../sync/drafts/draft-text.ts";
import { canDeleteMessage, canEditMessage, toEditableText } from "./use-message-actions.ts";

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

test("only the author edits, the author and managers delete, and a deleted message allows neither", () => {
  const ownMessage = buildMessage(1);
  const member = { accountId: 2, canManage: false };
  expect([canEditMessage(ownMessage, { accountId: 1, canManage: false }), canDeleteMessage(ownMessage, { accountId: 1, canManage: false })]).toEqual([
    true,
    true,
  ]);
  expect([canEditMessage(ownMessage, member), canDeleteMessage(ownMessage, member)]).toEqual([false, false]);
  expect([canEditMessage(ownMessage, { ...member, canManage: true }), canDeleteMessage(ownMessage, { ...member, canManage: true })]).toEqual([false, true]);
  const deletedMessage = buildMessage(1, { deleted: true });
  expect([canEditMessage(deletedMessage, { accountId: 1, canManage: true }), canDeleteMessage(deletedMessage, { accountId: 1, canManage: true })]).toEqual([
    false,
    false,
  ]);
  const commentMessage = buildMessage(1, { comment: sharedComment });
  expect([canEditMessage(commentMessage, { accountId: 1, canManage: false }), canDeleteMessage(commentMessage, { accountId: 1, canManage: false })]).toEqual([
    false,
    true,
  ]);
});
